#include "referee/connect/relay/relay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace referee::relay {
namespace {

using testing::HasSubstr;

constexpr std::string_view hello =
    R"({"type":"hello","protocol":1,"session":"s7","limits":{"line_bytes":200}})";
constexpr std::string_view welcome =
    R"({"type":"welcome","name":"Ada","session":"s7","protocol":1,"games":["walls"]})";
constexpr std::string_view login = R"({"type":"login","name":"me","games":["walls"],"mark":5})";
constexpr std::string_view login_sent =
    R"({"type":"login","name":"Ada","token":"secret","games":["walls"],"mark":5})";
constexpr std::string_view first_start = R"({"type":"start","match":"m1","game_id":"g1","turn":0})";
constexpr std::string_view resumed =
    R"({"type":"start","match":"m1","game_id":"g1","turn":2,"resumed":true})";
constexpr std::string_view ready = R"({"type":"ready","game_id":"g1"})";
constexpr std::string_view history =
    R"({"type":"history","game_id":"g1","from_turn":1,"turns":[],"last":true})";

std::string turn(int number) {
    return R"({"type":"turn","game_id":"g1","turn":)" + std::to_string(number) +
           R"(,"budget_us":1000,"state":{"a":[1,2]}})";
}

std::string move(int number, const std::string& what = "F") {
    return R"({"type": "move", "game_id": "g1", "turn": )" + std::to_string(number) +
           R"(, "move": ")" + what + "\"}";
}

std::string line(std::string_view text) {
    return std::string(text) + "\n";
}

// A relay, and what passes it.
class RelayTest : public testing::Test {
 protected:
    RelayStep told(std::string_view text) {
        relay_.from_referee(text);
        return relay_.take_step();
    }
    RelayStep said(std::string_view text) {
        relay_.from_program(text);
        return relay_.take_step();
    }
    // On a new connection.
    RelayStep greeted() {
        relay_.connection_opened();
        return told(hello);
    }
    // Logs in, and comes to a game.
    void begin() {
        greeted();
        said(login);
        told(welcome);
        told(first_start);
        said(ready);
    }
    void reconnect() {
        relay_.connection_lost();
        greeted();
        told(welcome);
    }

    Relay relay_{BotIdentity{"Ada", "secret", ""}};
};

TEST_F(RelayTest, PutsTheIdentityIntoTheLogin) {
    EXPECT_EQ(greeted().to_program, line(hello));
    EXPECT_FALSE(relay_.wants_connection()) << "the program has its time for the login";
    EXPECT_EQ(said(login).to_referee, line(login_sent));
    EXPECT_TRUE(relay_.has_logged_in());
    EXPECT_EQ(told(welcome).to_program, line(welcome));
    EXPECT_TRUE(relay_.is_welcome());
}

TEST_F(RelayTest, PassesLinesByteForByte) {
    begin();
    const std::string odd = R"({ "turn":1, "state":{"x": 1.50}, "type" : "turn","game_id":"g1"})";
    EXPECT_EQ(told(odd).to_program, line(odd));
    EXPECT_EQ(said(move(1)).to_referee, line(move(1)));
    const std::string unknown = R"({"type":"later","x":[1.0 , 2]})";
    EXPECT_EQ(told(unknown).to_program, line(unknown));
    EXPECT_EQ(said(unknown).to_referee, line(unknown));
    EXPECT_EQ(told("no JSON at all").to_program, "no JSON at all\n");
}

TEST_F(RelayTest, CountsMovesThatNobodyAskedFor) {
    begin();
    told(turn(3));
    said(move(3));
    EXPECT_EQ(relay_.unasked_moves(), 0U);
    said(move(3));
    said(move(5));
    EXPECT_EQ(relay_.unasked_moves(), 2U);
    told(turn(5));
    said(move(5));
    EXPECT_EQ(relay_.unasked_moves(), 2U);
    reconnect();
    EXPECT_EQ(relay_.unasked_moves(), 0U);
}

TEST_F(RelayTest, SwallowsHelloAndWelcomeOfLaterConnections) {
    begin();
    relay_.connection_lost();
    const auto greeting = greeted();
    EXPECT_EQ(greeting.to_program, "");
    EXPECT_EQ(greeting.to_referee, line(login_sent));
    EXPECT_EQ(told(welcome).to_program, "");
    EXPECT_EQ(told(resumed).to_program, line(resumed));
    EXPECT_EQ(told(history).to_program, line(history));
}

TEST_F(RelayTest, SaysReadyAgainForAProgramThatHasSaidIt) {
    begin();
    reconnect();
    EXPECT_EQ(told(resumed).to_referee, line(ready));
}

TEST_F(RelayTest, HoldsAnAnswerBetweenWelcomeAndTheTurn) {
    begin();
    told(turn(3));
    reconnect();
    EXPECT_EQ(said(move(3)).to_referee, "");
    told(resumed);
    EXPECT_EQ(told(turn(3)).to_referee, line(move(3)));
}

TEST_F(RelayTest, TakesAGameThatBeginsAnewForANewOne) {
    begin();
    told(turn(3));
    said(move(3));
    reconnect();
    told(first_start);  // the referee was stopped, and plays it again
    const auto first = told(turn(3));
    EXPECT_EQ(first.to_program, line(turn(3)));
    EXPECT_EQ(first.to_referee, "");
}

TEST_F(RelayTest, TheFirstAnswerToATurnIsTheOneThatIsSentAgain) {
    begin();
    told(turn(3));
    said(move(3, "L"));
    said(move(3, "R"));
    reconnect();
    told(resumed);
    EXPECT_EQ(told(turn(3)).to_referee, line(move(3, "L")));
}

TEST_F(RelayTest, KeepsQuestionsForTheNextConnection) {
    begin();
    relay_.connection_lost();
    EXPECT_EQ(said(R"({"type":"games"})").to_referee, "");
    greeted();
    EXPECT_EQ(told(welcome).to_referee, "{\"type\":\"games\"}\n");
    reconnect();
    EXPECT_EQ(told(welcome).to_referee, "") << "once";
}

TEST_F(RelayTest, BoundsWhatWaitsForTheNextConnection) {
    begin();
    relay_.connection_lost();
    const std::string question =
        R"({"type":"games","tournament":")" + std::string(100, 'x') + "\"}";
    for (std::size_t i = 0; i < waiting_bytes_max / 100; ++i) said(question);
    greeted();
    const auto sent = told(welcome).to_referee;
    EXPECT_GT(sent.size(), waiting_bytes_max / 2);
    EXPECT_LE(sent.size(), waiting_bytes_max);
}

TEST_F(RelayTest, AnswersPingsForAProgramThatThinks) {
    begin();
    const auto asked = told(R"({"type":"ping","id":18446744073709551615})");
    EXPECT_EQ(asked.to_program, "");
    EXPECT_EQ(asked.to_referee, "{\"type\":\"pong\",\"id\":18446744073709551615}\n");
}

TEST_F(RelayTest, KeepsBackWhatIsNoMessage) {
    begin();
    for (const auto* const text : {"thinking ...", "{'type': 'move'}", "[1,2]", "\"F\"", "5",
                                   "null", "{\"a\":1} x", "\xff", "{\"a\":NaN}", "\x00\x01"}) {
        const auto printed = said(text);
        EXPECT_EQ(printed.to_referee, "") << text;
        ASSERT_EQ(printed.kept_back.size(), 1U) << text;
        EXPECT_EQ(printed.kept_back[0].line, text);
        EXPECT_NE(printed.kept_back[0].why, "");
    }
    const auto wrong = R"({"type":"move","turn":"x"})";
    EXPECT_EQ(said(wrong).to_referee, line(wrong)) << "the referee says what is wrong with it";
}

// Else the game's record would say that nothing came.
TEST_F(RelayTest, SendsALineOfEachTurnOfAProgramThatHasNeverMoved) {
    begin();
    for (const auto number : {1, 3}) {
        told(turn(number));
        EXPECT_EQ(said("my turn").to_referee, "my turn\n");
        const auto second = said("F");
        EXPECT_EQ(second.to_referee, "");
        EXPECT_EQ(second.kept_back.size(), 1U);
    }
    told(turn(5));
    said(move(5, "L"));
    told(turn(7));
    EXPECT_EQ(said("thinking").to_referee, "") << "it knows where moves go";
}

TEST_F(RelayTest, KeepsBackALineThatTheRefereeWouldEndTheConnectionFor) {
    begin();
    const auto longer = R"({"type":"move","debug":")" + std::string(200, 'x') + "\"}";
    const auto printed = said(longer);
    EXPECT_EQ(printed.to_referee, "");
    ASSERT_EQ(printed.kept_back.size(), 1U);
    EXPECT_THAT(printed.kept_back[0].why, HasSubstr("200 bytes"));
}

TEST_F(RelayTest, AProgramThatIsSlowToLogInGetsANewConnection) {
    greeted();
    const auto late = told(R"({"type":"error","code":"login_timeout","message":"no login came"})");
    EXPECT_EQ(late.to_program, "");
    ASSERT_TRUE(late.close_reason);
    EXPECT_EQ(late.close_reason->after, After::again);
    EXPECT_FALSE(told(R"({"type":"bye","reason":"refused","message":"x"})").close_reason);
    relay_.connection_lost();
    EXPECT_FALSE(relay_.wants_connection());
    EXPECT_EQ(said(login).to_referee, "");
    EXPECT_TRUE(relay_.wants_connection());
    const auto greeting = greeted();
    EXPECT_EQ(greeting.to_program, "");
    EXPECT_EQ(greeting.to_referee, line(login_sent));
    EXPECT_EQ(told(welcome).to_program, line(welcome));
}

TEST_F(RelayTest, TellsWhereTheGamesAreSeenOnceForAProgram) {
    constexpr std::string_view with_page =
        R"({"type":"welcome","name":"Ada","protocol":1,"page":"http://lab/enter?ticket=t"})";
    greeted();
    said(login);
    EXPECT_EQ(told(with_page).page, "http://lab/enter?ticket=t");
    relay_.connection_lost();
    greeted();
    EXPECT_EQ(told(with_page).page, "") << "after a lost connection";
    relay_.program_began();
    greeted();
    said(login);
    EXPECT_EQ(told(welcome).page, "") << "of a referee without pages";
}

TEST_F(RelayTest, AProgramMaySpeakBeforeItIsGreeted) {
    EXPECT_EQ(said(login).to_referee, "");
    const auto greeting = greeted();
    EXPECT_EQ(greeting.to_program, line(hello));
    EXPECT_EQ(greeting.to_referee, line(login_sent));
}

TEST_F(RelayTest, AProgramMendsALoginThatIsNone) {
    greeted();
    EXPECT_EQ(said(R"({"type":"login"})").to_referee,
              "{\"type\":\"login\",\"name\":\"Ada\",\"token\":\"secret\"}\n");
    const auto* const error = R"({"type":"error","code":"missing_member","message":"x"})";
    EXPECT_EQ(told(error).to_program, line(error));
    EXPECT_FALSE(relay_.has_logged_in());
    EXPECT_EQ(relay_.refusal(), "missing_member: x");
    const auto goodbye = told(R"({"type":"bye","reason":"refused","message":"see before"})");
    EXPECT_FALSE(goodbye.close_reason) << "the next login needs no other bridge";
    EXPECT_EQ(goodbye.to_program, "");
    relay_.connection_lost();
    EXPECT_FALSE(relay_.wants_connection());
    EXPECT_EQ(said(login).to_referee, "");
    EXPECT_EQ(relay_.refusal(), "");
    EXPECT_TRUE(relay_.wants_connection());
    EXPECT_EQ(greeted().to_referee, line(login_sent));
}

TEST_F(RelayTest, AProgramThatIsBegunAnewIsTreatedAsNew) {
    begin();
    told(turn(3));
    said(move(3));
    relay_.connection_lost();
    relay_.program_began();
    const auto greeting = greeted();
    EXPECT_EQ(greeting.to_program, line(hello));
    EXPECT_EQ(greeting.to_referee, "");
    said(login);
    EXPECT_EQ(told(welcome).to_program, line(welcome));
    EXPECT_EQ(told(resumed).to_referee, "");
    EXPECT_EQ(told(turn(3)).to_program, line(turn(3)));
}

struct FarewellCase {
    std::string_view line;
    After after;
    bool passes;  // to the program
    std::string_view said;
};

TEST_F(RelayTest, GoodbyesSayHowItGoesOn) {
    const FarewellCase cases[] = {
        {R"({"type":"error","code":"wrong_token","message":"no"})", After::refused, false,
         "REFEREE_TOKEN"},
        {R"({"type":"error","code":"unknown_name","message":"no"})", After::refused, false,
         "--name"},
        {R"({"type":"error","code":"not_on_roster","message":"ask her"})", After::refused, false,
         "ask her"},
        {R"({"type":"error","code":"already_connected","message":"x"})", After::refused, false,
         "other bridge"},
        {R"({"type":"error","code":"tls_expected","message":"x"})", After::refused, false,
         "tls://"},
        {R"({"type":"error","code":"approval_needed","message":"x"})", After::later, false,
         "approve"},
        {R"({"type":"error","code":"too_many_connections","message":"x"})", After::later, false,
         "tries again"},
        {R"({"type":"error","code":"flooding","message":"x"})", After::program_failed, true,
         "one move for each turn"},
        {R"({"type":"bye","reason":"finished","message":"thanks"})", After::finished, true,
         "thanks"},
        {R"({"type":"bye","reason":"shutdown","message":"x"})", After::later, false, "waits"},
        {R"({"type":"bye","reason":"replaced","message":"x"})", After::refused, false,
         "took this connection's place"},
        {R"({"type":"bye","reason":"of tomorrow","message":"x"})", After::again, false, "x"},
    };
    for (const auto& one : cases) {
        begin();
        const auto parted = told(one.line);
        ASSERT_TRUE(parted.close_reason) << one.line;
        EXPECT_EQ(parted.close_reason->after, one.after) << one.line;
        EXPECT_EQ(parted.to_program, one.passes ? line(one.line) : "") << one.line;
        EXPECT_THAT(parted.close_reason->words, HasSubstr(std::string(one.said)));
        relay_.connection_lost();
    }
    begin();
    EXPECT_FALSE(told(R"({"type":"error","code":"future_turn","message":"x"})").close_reason);
    const auto leaving = said(R"({"type":"bye"})");
    EXPECT_EQ(leaving.to_referee, "{\"type\":\"bye\"}\n");
    ASSERT_TRUE(leaving.close_reason);
    EXPECT_EQ(leaving.close_reason->after, After::finished);
}

TEST_F(RelayTest, ForgetsTheOldestOfTooManyGames) {
    begin();
    for (int i = 0; i < 1000; ++i)
        told(R"({"type":"turn","game_id":"x)" + std::to_string(i) + R"(","turn":1})");
    reconnect();
    const auto again = told(R"({"type":"turn","game_id":"x999","turn":1})");
    EXPECT_EQ(again.to_program, "") << "the newest is known";
    EXPECT_NE(told(R"({"type":"turn","game_id":"x0","turn":1})").to_program, "");
}

TEST(Secrets, StandInNoTrace) {
    const auto shown =
        without_secrets(R"({"type":"login","name":"Ada","token":"secret","password":"class"})");
    EXPECT_EQ(shown, R"({"type":"login","name":"Ada","token":"...","password":"..."})");
    EXPECT_EQ(without_secrets(R"({"type":"move"})"), R"({"type":"move"})");
}

}  // namespace
}  // namespace referee::relay
