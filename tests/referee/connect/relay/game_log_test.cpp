#include "referee/connect/relay/game_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/connect/relay/relay.h"

namespace referee::relay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string start(const std::string& id, const std::string& names = R"("Ada","Bob")") {
    return R"({"type":"start","match":"m1","game_id":")" + id +
           R"(","game_number":1,"games":2,"game":"walls","seat":0,"names":[)" + names +
           R"(],"params":{"size":3},"clock":{"kind":"turn","measure":"wall","budget_us":1000000,"hard_limit_us":0},"turn":0,"state":{}})";
}

std::string end(const std::string& id, int own_place, int other_place, int own_score = 2,
                int other_score = 0) {
    const auto seat = [](const std::string& name, int place, int score) {
        return R"({"name":")" + name + R"(","score":)" + std::to_string(score) + R"(,"place":)" +
               std::to_string(place) + R"(,"reason":"more bricks"})";
    };
    return R"({"type":"end","game_id":")" + id + R"(","outcome":{},"seats":[)" +
           seat("Ada", own_place, own_score) + "," + seat("Bob", other_place, other_score) +
           R"(],"seed":7,"turns":38,"reason":"every square has a brick"})";
}

std::string late_fault(const std::string& id, int turn, const std::string& consequence,
                       bool received, int seat = 0) {
    return R"({"type":"fault","game_id":")" + id + R"(","turn":)" + std::to_string(turn) +
           R"(,"seat":)" + std::to_string(seat) +
           R"(,"code":"late","message":"Ada was late","rule":"clock.turn_budget","consequence":")" +
           consequence + R"(","evidence":{)" + (received ? R"("received":"{}",)" : "") +
           R"("charged_us":1012000,"budget_us":1000000}})";
}

std::string match_end(const std::string& match, int own_place, int other_place) {
    return R"({"type":"match_end","match":")" + match +
           R"(","names":["Ada","Bob"],"scores":[3,1],"placing":[)" + std::to_string(own_place) +
           "," + std::to_string(other_place) + R"(],"games":2,"reason":"all games are played"})";
}

std::string turn_with_last(const std::string& id, int turn, const std::string& move) {
    return R"({"type":"turn","game_id":")" + id + R"(","turn":)" + std::to_string(turn) +
           R"(,"budget_us":1000000,"state":{},"last":{"turn":)" + std::to_string(turn - 2) +
           R"(,"charged_us":12345,"allowed_us":0,"late":false,"move":)" + move + R"(,"notes":[]}})";
}

struct GameLogTest : testing::Test {
    GameLog log{"Ada"};
};

TEST_F(GameLogTest, TellsAtTheEndOfAGameThatTheProgramEndedInIt) {
    log.told(start("t/3.1"));
    log.told(start("t/4.1"));
    log.program_ended("exit status 7", true);
    log.program_ended("exit status 8", true);
    EXPECT_THAT(log.take_news(), IsEmpty());
    log.told(end("t/3.1", 2, 1, 0, 2));
    EXPECT_THAT(log.take_news(),
                ElementsAre(HasSubstr("more bricks; your program ended in it: exit status 7")));
    EXPECT_THAT(log.take_stories().at(0).text, HasSubstr("\nyour program ended: exit status 8\n"));
    log.program_ended("exit status 9", false);
    EXPECT_THAT(log.take_news(),
                ElementsAre("game t/4.1 (walls against Bob) goes on without your program, which "
                            "ended: exit status 7"));
    EXPECT_EQ(log.games_on(), 0U);
}

TEST_F(GameLogTest, TellsAGameInOneSentence) {
    log.told(start("t/3.1"));
    log.told(end("t/3.1", 1, 2));
    EXPECT_THAT(log.take_news(),
                ElementsAre("game t/3.1 (walls against Bob): you won after 38 turns (2 : 0): more "
                            "bricks"));
    EXPECT_THAT(log.take_news(), IsEmpty());
}

TEST(GameLog, TellsTheOwnScoreFirst) {
    GameLog log("Bob");
    log.told(end("t/3.1", 1, 2));
    EXPECT_THAT(log.take_news(), ElementsAre(HasSubstr("you lost after 38 turns (0 : 2): ")));
}

TEST_F(GameLogTest, TellsALossByTheClockWithItsNumbers) {
    log.told(start("t/3.1"));
    log.told(late_fault("t/3.1", 41, "forfeit", true));
    log.told(end("t/3.1", 2, 1, 0, 2));
    EXPECT_THAT(
        log.take_news(),
        ElementsAre("game t/3.1 (walls against Bob): you lost on turn 41: your answer came 12 ms "
                    "late: it was charged 1012 ms of 1000 ms (0 : 2); faults of yours: 1"));
}

TEST_F(GameLogTest, TellsFaultsAsTheyCome) {
    log.told(start("g"));
    log.told(late_fault("g", 3, "missing_move", false));
    EXPECT_THAT(log.take_news(),
                ElementsAre("game g (walls against Bob), turn 3: no answer came within your 1000 "
                            "ms; the move counts as missing"));
    log.told(late_fault("g", 4, "missing_move", false, 1));
    EXPECT_THAT(log.take_news(), IsEmpty()) << "another's";
    for (int turn = 5; turn < 50; ++turn) log.told(late_fault("g", turn, "none", true));
    EXPECT_EQ(log.take_news().size(), faults_told_max) << "four, and that there are more";
}

// The line was an answer to an earlier turn: the referee noticed that none to this one came.
TEST_F(GameLogTest, TellsHowMuchTooLateAnAnswerWas) {
    log.told(start("g"));
    log.told(R"({"type":"note","code":"old_turn","message":"it came late","game_id":"g",)"
             R"("turn":3,"took_us":1012000,"over_us":12345})");
    EXPECT_THAT(log.take_news(),
                ElementsAre("game g (walls against Bob), turn 3: your answer came 12.345 ms too "
                            "late"));
}

TEST_F(GameLogTest, ALateAnswerToAnEarlierTurnIsNoneToThisOne) {
    log.told(start("g"));
    auto fault = late_fault("g", 3, "missing_move", true);
    fault.insert(fault.rfind("\"charged_us\""), "\"received_us\":900000,\"noticed_us\":1012000,");
    log.told(fault);
    EXPECT_THAT(log.take_news(),
                ElementsAre("game g (walls against Bob), turn 3: no answer came within your 1000 "
                            "ms; the move counts as missing"));
}

TEST_F(GameLogTest, CountsGamesMatchesAndFaults) {
    log.told(start("g1"));
    log.told(late_fault("g1", 3, "missing_move", true));
    log.told(end("g1", 1, 2));
    log.told(start("g2"));
    EXPECT_EQ(log.games_on(), 1U);
    log.told(end("g2", 1, 1, 1, 1));
    log.told(end("g3", 2, 1, 0, 2));  // it never began
    log.told(match_end("m1", 1, 2));
    EXPECT_EQ(log.games_on(), 0U);
    EXPECT_EQ(log.matches(), 1U);
    EXPECT_EQ(
        log.table(),
        "game    against  games  won drawn lost  matches won drawn lost  score  best  faults  "
        "longest answer\n"
        "-       Bob      1      0 0 1           0 0 0                   0      0     0       "
        "0 ms\n"
        "walls   Bob      2      1 1 0           1 0 0                   3      2     1       "
        "1012 ms\n"
        "in all  -        3      1 1 1           1 0 0                   3      2     1       "
        "1012 ms\n");
}

// Of as many matches as may be, none of which ends, the oldest is forgotten, whatever its id.
TEST_F(GameLogTest, ForgetsTheOldestMatch) {
    const auto of = [](std::string line, const std::string& match) {
        return line.replace(line.find("m1"), 2, match);
    };
    for (std::size_t i = 0; i < matches_remembered_max; ++i)
        log.told(of(start("g"), "x" + std::to_string(i)));
    log.told(of(start("g"), "a1"));
    log.told(of(start("g"), "a2"));
    for (const auto* match : {"a1", "a2", "x0"}) log.told(of(match_end("m1", 1, 2), match));
    EXPECT_THAT(log.table(), HasSubstr("-       Bob      0      0 0 0           1 0 0 "));
    EXPECT_THAT(log.table(), HasSubstr("walls   Bob      0      0 0 0           2 0 0 "));
}

TEST_F(GameLogTest, AGameThatIsPlayedAgainCountsOnce) {
    for (const int place : {2, 1}) {
        log.told(start("g1"));
        log.told(end("g1", place, 3 - place));
        log.told(match_end("m1", place, 3 - place));
    }
    EXPECT_THAT(log.table(), HasSubstr("walls  Bob      1      1 0 0           1 0 0 "));
}

TEST_F(GameLogTest, AnAnnulledGameDoesNotCount) {
    log.told(start("g1"));
    log.told(R"({"type":"note","code":"annulled","message":"it stood still","game_id":"g1"})");
    EXPECT_EQ(log.games_on(), 0U);
    EXPECT_THAT(
        log.take_news(),
        ElementsAre("game g1 (walls against Bob) doesn't count (annulled): it stood still"));
    EXPECT_EQ(log.table(), "no game was played to its end\n");
    ASSERT_EQ(log.take_stories().size(), 1U);
}

TEST_F(GameLogTest, KnowsWhetherTheProgramHasPlayed) {
    log.told(start("g"));
    EXPECT_FALSE(log.played_well());
    log.told(turn_with_last("g", 3, "null"));
    EXPECT_FALSE(log.played_well());
    log.told(turn_with_last("g", 5, "\"F\""));
    EXPECT_TRUE(log.played_well());
    log.program_began();
    EXPECT_FALSE(log.played_well());
}

TEST_F(GameLogTest, KeepsAStory) {
    log.told(start("g"));
    log.told(turn_with_last("g", 3, "\"F\""));
    log.said(R"({"type":"move","game_id":"g","turn":3,"move":"L","debug":"up\nwe go"})");
    log.told(late_fault("g", 3, "missing_move", true));
    log.told(end("g", 2, 1));
    const auto stories = log.take_stories();
    ASSERT_EQ(stories.size(), 1U);
    EXPECT_EQ(stories[0].game_id, "g");
    for (const auto* const part :
         {"seat 0: Ada (you)\n", "params: {\"size\":3}", "1000 ms a turn, wall time",
          "turn 1: your move \"F\", charged 12.345 ms\n", "turn 3: debug: up\n    we go\n",
          "turn 3: your fault, late: your answer came 12 ms late", "you lost after 38 turns"})
        EXPECT_THAT(stories[0].text, HasSubstr(part));
}

TEST_F(GameLogTest, AStoryIsBounded) {
    log.told(start("g"));
    const std::string long_debug(1000, 'x');
    for (int i = 0; i < 1000; ++i)
        log.said(R"({"type":"move","game_id":"g","turn":3,"move":"L","debug":")" + long_debug +
                 "\"}");
    log.told(end("g", 1, 2));
    const auto stories = log.take_stories();
    ASSERT_EQ(stories.size(), 1U);
    EXPECT_LT(stories[0].text.size(), story_bytes_max + 1000);
    EXPECT_THAT(stories[0].text, HasSubstr("left out, but for the end\n"));
    EXPECT_THAT(stories[0].text, HasSubstr("you won"));
}

TEST_F(GameLogTest, ObeysNoTextOfOthers) {
    log.told(start("g", R"("Ada","B\u001b[2Job")"));
    log.told(R"({"type":"note","code":"withdrawn","message":"a\u001b[31mb"})");
    log.told(R"({"type":"error","code":"x\u0007","message":"\u202e"})");
    log.told(end("g", 1, 2));
    for (const auto& sentence : log.take_news())
        for (const char c : sentence) EXPECT_GE(static_cast<unsigned char>(c), 0x20) << sentence;
    EXPECT_THAT(log.table(), Not(HasSubstr("\x1b")));
}

TEST_F(GameLogTest, TakesAnyLine) {
    for (
        const auto* const text :
        {"", "{}", "[]", "no JSON", R"({"type":"end"})", R"({"type":"match_end"})",
         R"({"type":"end","game_id":"g","outcome":{},"seats":[],"turns":1,"seed":1,"reason":""})",
         R"({"type":"match_end","match":"m","names":["Ada"],"scores":[],"placing":[],"games":0,"reason":""})",
         R"({"type":"start","match":"m","game_id":"g","game":"walls","seat":-1,"names":[],"params":{},"clock":{"kind":"turn","measure":"wall","budget_us":1},"turn":0,"state":{}})",
         R"({"type":"end","game_id":"g","outcome":{},"seats":[{"name":"Ada","score":"x","place":1,"reason":""}],"turns":1,"seed":1,"reason":""})"}) {
        log.told(text);
        log.said(text);
    }
    EXPECT_EQ(log.matches(), 0U + 1U);
}

TEST(Words, OfPlaces) {
    EXPECT_EQ(verdict_of({1}, 0, "31"), "you scored 31");
    EXPECT_EQ(verdict_of({1, 2}, 0, "2"), "you won");
    EXPECT_EQ(verdict_of({1, 2}, 1, "2"), "you lost");
    EXPECT_EQ(verdict_of({1, 1}, 1, "1"), "you drew");
    EXPECT_EQ(verdict_of({1, 2, 3, 4}, 1, "1"), "you came 2nd of 4");
    EXPECT_EQ(verdict_of({1, 2, 3, 4}, 2, "1"), "you came 3rd of 4");
    EXPECT_EQ(others_text({"Ada", "Bob", "Cleo", "Dan"}, 1), "Ada, Cleo and Dan");
    EXPECT_EQ(others_text({"Ada"}, 0), "");
    EXPECT_EQ(milliseconds_text(0), "0 ms");
    EXPECT_EQ(milliseconds_text(377), "0.377 ms");
    EXPECT_EQ(milliseconds_text(12'050), "12.05 ms");
}

TEST(BackOff, DoublesUpToItsMost) {
    BackOff back_off;
    std::vector<long> pauses;
    for (int i = 0; i < 9; ++i) pauses.push_back(back_off.next(0).count());
    EXPECT_THAT(pauses, ElementsAre(500, 1000, 2000, 4000, 8000, 16'000, 30'000, 30'000, 30'000));
    back_off.reset();
    EXPECT_EQ(back_off.next(1).count(), 375) << "by chance a little less";
}

}  // namespace
}  // namespace referee::relay
