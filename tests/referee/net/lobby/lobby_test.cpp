#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/lobby_room.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using referee::session::CloseCause;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct LobbyTest : ::testing::Test {
    LobbyRoom room;
};

TEST_F(LobbyTest, welcomes_with_what_is_granted) {
    auto& bot = room.log_in(
        "ada", {}, {{"games", {"chess", "walls"}}, {"parallel", 1000}, {"state", "delta"}});
    const auto welcome = bot.last("welcome");
    EXPECT_EQ(welcome["name"], "ada");
    EXPECT_EQ(welcome["games"], Json({"walls"}));
    EXPECT_EQ(welcome["parallel"], 64);
    EXPECT_EQ(welcome["state"], "delta");
    EXPECT_EQ(room.lobby->bot("ada").free_seats(), 64U);
    EXPECT_THAT(room.arrived, ElementsAre("ada"));
}

TEST(Lobby, refuses_with_a_reason_and_closes) {
    struct Refusal {
        Json extra;
        std::string_view code;
        std::string_view says;
    };
    const Refusal table[] = {
        {{{"name", "nobody"}}, "unknown_name", "\"nobody\""},
        {{{"token", "guessed"}}, "wrong_token", "yours, ask your instructor for a new token"},
        {{{"games", {"chess", "go"}}}, "no_common_game", "walls"},
    };
    for (const auto& [extra, code, says] : table) {
        LobbyRoom room;
        auto& bot = room.log_in("ada", {}, extra);
        EXPECT_EQ(bot.error(), code);
        EXPECT_THAT(bot.last("error")["message"].get<std::string>(), HasSubstr(says));
        EXPECT_EQ(bot.last("bye")["reason"], "refused") << code;
        EXPECT_TRUE(bot.closed) << code;
        EXPECT_TRUE(room.arrived.empty()) << code;
        EXPECT_TRUE(room.left.empty()) << code;
        // It may try again.
        EXPECT_FALSE(room.log_in("ada").last("welcome").is_null()) << code;
    }
}

// By an example of the bot's own login, in which nothing stands that it guessed or doesn't know.
TEST(Lobby, tells_how_a_login_would_be_right) {
    struct Case {
        Json extra;
        std::string_view says;
        bool with_password;
    };
    const Case table[] = {
        {{{"name", "free"}}, "the login has no \"password\"", true},
        {{{"name", "free"}, {"password", "guess"}}, "its \"password\" is not the class", true},
        {{{"name", "free"}, {"password", "class"}},
         "bytes with it, which the name will belong to",
         true},
        {{{"token", nullptr}}, "the login has none", false},
        {{{"token", nullptr}}, "the name \"ada\" has a token", false},
        {{{"token", "guessed"}}, "is not the one that belongs to the name \"ada\"", false},
    };
    for (const auto& [extra, says, with_password] : table) {
        LobbyRoom room;
        const auto told = room.log_in("ada", {}, extra).last("error");
        EXPECT_THAT(told["message"].get<std::string>(), HasSubstr(says));
        const auto example = Json::parse(told["expected"].get<std::string>());
        EXPECT_EQ(example["name"], extra.value("name", "ada"));
        EXPECT_EQ(example.contains("password"), with_password) << says;
        EXPECT_GE(example["token"].get<std::string>().size(), 8U);
        EXPECT_EQ(told.dump().find("guess"), std::string::npos) << told;
    }
}

// Where the name is what is wrong, the same name is no example.
TEST_F(LobbyTest, names_the_name_that_is_wrong_and_shows_none_as_right) {
    const auto told = room.log_in("ada", {}, {{"name", "nobody"}}).last("error");
    EXPECT_THAT(told["message"].get<std::string>(),
                ::testing::AllOf(HasSubstr("the name \"nobody\""), HasSubstr("REFEREE_NAME")));
    EXPECT_EQ(Json::parse(told["expected"].get<std::string>())["name"],
              "the name that you were given");
    const auto refused = room.log_in("unwelcome").last("error");
    EXPECT_EQ(Json::parse(refused["expected"].get<std::string>())["name"], "another name");
}

TEST_F(LobbyTest, tells_a_launched_bot_under_which_name_it_was_launched) {
    auto& bot = room.dial({}, {{}, "ada"});
    room.talk(bot, R"({"type":"login","name":"nobody","games":["walls"]})");
    const auto told = bot.last("error");
    EXPECT_THAT(told["message"].get<std::string>(), HasSubstr("launched as \"ada\""));
    EXPECT_EQ(Json::parse(told["expected"].get<std::string>())["name"], "ada");
}

TEST_F(LobbyTest, tells_a_near_name_to_its_owner_alone) {
    const auto told = room.log_in("Ada").last("error");
    EXPECT_THAT(told["message"].get<std::string>(), HasSubstr("your token is that of \"ada\""));
    EXPECT_EQ(Json::parse(told["expected"].get<std::string>())["name"], "ada");
    const auto stranger = room.log_in("Ada", {}, {{"token", "another"}}).last("error");
    EXPECT_EQ(stranger.dump().find("\"ada"), std::string::npos) << stranger;
}

TEST_F(LobbyTest, tells_of_another_protocol_and_takes_the_login) {
    const std::pair<Json, std::size_t> table[] = {{2, 1}, {"one", 1}, {1, 0}};
    for (const auto& [protocol, told] : table) {
        auto& bot = room.log_in("ada", {}, {{"protocol", protocol}});
        EXPECT_FALSE(bot.last("welcome").is_null()) << protocol;
        EXPECT_EQ(bot.heard("note").size(), told) << protocol;
        bot.say(Json{{"type", "bye"}});
        room.pass(1s);
    }
}

// The roster's words reach the bot, and the roster knows the address.
TEST_F(LobbyTest, tells_a_refused_bot_what_the_roster_says) {
    auto& bot = room.log_in("unwelcome", from("10.1.2.3"));
    EXPECT_EQ(bot.error(), "name_refused");
    EXPECT_EQ(bot.last("error")["message"], "unwelcome of 10.1.2.3");
    EXPECT_EQ(bot.last("bye")["reason"], "refused");
    EXPECT_TRUE(room.arrived.empty());
}

// Whoever delays its acknowledgements has a long round trip.
TEST_F(LobbyTest, believes_a_way_as_far_as_it_is_plausible_for_its_network) {
    auto traits = from("10.1.2.3");
    traits.delay = 40ms;
    traits.tells_round_trip = true;
    room.log_in("ada", traits);
    room.pass(1s);
    auto& ada = room.lobby->bot("ada");
    EXPECT_EQ(ada.path(room.world.now()), referee::Path::exact(20ms)) << "by its range";
    EXPECT_EQ(ada.allowance().round_trip, 80ms);
    referee::lobby::LobbyLimits limits;
    limits.network = {{referee::clock::Address::v4({10, 0, 0, 0}), referee::clock::v4_bits + 8,
                       60ms, false, "10.0.0.0/8"}};
    room.lobby->set_limits(limits);
    EXPECT_EQ(ada.path(room.world.now()), referee::Path::exact(60ms)) << "by the config, at once";
}

TEST_F(LobbyTest, a_second_login_is_refused_where_the_first_is_alive) {
    auto& first = room.log_in("ada");
    auto& second = room.log_in("ada");
    room.pass(1s);
    EXPECT_EQ(first.heard("ping").size(), 1U);
    EXPECT_EQ(second.error(), "already_connected");
    EXPECT_THAT(second.last("error")["message"].get<std::string>(),
                HasSubstr("end that program first, or choose another name"));
    EXPECT_TRUE(second.closed);
    EXPECT_FALSE(first.closed);
    EXPECT_TRUE(room.left.empty());
}

// The first one answers no ping.
struct SecondLogin : ::testing::Test {
    LobbyRoom room;
    ScriptedBot& first = silent(room.log_in("ada"));
    ScriptedBot& second = room.log_in("ada");

    static ScriptedBot& silent(ScriptedBot& bot) {
        bot.answers_pings = false;
        return bot;
    }
};

TEST_F(SecondLogin, replaces_a_silent_first) {
    room.pass(1900ms);
    EXPECT_TRUE(second.last("welcome").is_null());
    room.pass(200ms);
    EXPECT_EQ(second.last("welcome")["name"], "ada");
    EXPECT_EQ(first.last("bye")["reason"], "replaced");
    EXPECT_TRUE(first.closed);
    EXPECT_THAT(room.left, ElementsAre(std::pair("ada", CloseCause::replaced)));
    EXPECT_THAT(room.arrived, ElementsAre("ada", "ada"));
    EXPECT_EQ(room.lobby->connections(), 1U);
}

TEST_F(SecondLogin, takes_the_place_at_once_when_the_first_leaves) {
    first.link->close();
    room.pass(1ms);
    EXPECT_FALSE(second.last("welcome").is_null());
    room.pass(5s);
    EXPECT_FALSE(second.closed);
}

TEST_F(SecondLogin, keeps_a_third_out_while_it_waits) {
    auto& third = room.log_in("ada");
    EXPECT_EQ(third.error(), "already_connected");
    room.pass(3s);
    EXPECT_FALSE(second.last("welcome").is_null());
}

TEST_F(SecondLogin, makes_room_for_the_next_where_it_gives_up) {
    second.link->close();
    room.pass(1ms);
    auto& third = room.log_in("ada");
    EXPECT_EQ(third.error(), "");
    room.pass(1900ms);
    EXPECT_FALSE(first.closed);  // it has its own two seconds
    room.pass(200ms);
    EXPECT_FALSE(third.last("welcome").is_null());
}

TEST_F(SecondLogin, is_not_in_yet_while_it_waits) {
    for (const auto* line : {R"({"type":"ready","game_id":"g"})",
                             R"({"type":"move","game_id":"g","turn":1,"move":"F"})"}) {
        second.forget();
        room.talk(second, std::string_view(line));
        EXPECT_EQ(second.error(), "login_expected") << line;
    }
    second.answers_pings = true;
    second.say(R"({"type":"pong","id":1})");  // comes too late to help
    room.pass(3s);
    EXPECT_FALSE(second.last("welcome").is_null());
}

TEST_F(SecondLogin, is_not_kept_out_by_an_old_answer_to_a_ping) {
    first.say(R"({"type":"pong","id":99})");
    room.pass(2100ms);
    EXPECT_FALSE(second.last("welcome").is_null());
}

TEST_F(SecondLogin, hears_goodbye_as_everybody_does) {
    auto& stranger = room.dial();
    room.lobby->close_all(protocol::ByeReason::finished, "it is over");
    room.pass(1ms);
    for (const auto* bot : {&first, &second, &stranger}) {
        EXPECT_EQ(bot->last("bye")["reason"], "finished");
        EXPECT_TRUE(bot->closed);
    }
    EXPECT_TRUE(second.last("welcome").is_null());
    EXPECT_EQ(room.lobby->connections(), 0U);
}

TEST_F(LobbyTest, games_that_nobody_knows) {
    auto& bot = room.log_in("ada");
    bot.move("g", 1, "F");
    room.pass(1ms);
    EXPECT_EQ(bot.error(), "unknown_game");
    EXPECT_EQ(bot.last("error")["member"], "game_id");
    bot.forget();
    room.talk(bot, R"({"type":"ready","game_id":""})");
    EXPECT_EQ(bot.heard("error").size(), 1U);
}

}  // namespace
}  // namespace tests::sim
