#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "referee/game/trace/trace.h"

namespace referee::trace {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

const std::string walls_header =
    R"({"replay":1,"game_id":"friday/1.1","game":"walls","seed":3,"params":{"size":3},"bots":["a","b"]})"
    "\n";
const std::string idle_turn = "{\"moves\":[\"L\",\"L\"],\"used_us\":[5,5]}\n";
constexpr int idle_turns = 18;

std::string turns(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += idle_turn;
    return text;
}

std::string result(const std::string& status, const std::string& outcome, int played,
                   const std::string& faults = "", int faults_total = 0) {
    return R"({"result":{"status":")" + status + R"(","outcome":)" + outcome + R"(,"turns":)" +
           std::to_string(played) + R"(,"faults":[)" + faults + R"(],"faults_total":)" +
           std::to_string(faults_total) + "}}\n";
}

const std::string draw = R"({"scores":[1,1],"placing":[1,1],"detail":{"bricks":[0,0],"moves":18}})";
const std::string a_won =
    R"({"scores":[2,0],"placing":[1,2],"detail":{"bricks":[0,0],"moves":18}})";

base::Result<ReplayVerdict, Refusal> check(const std::string& replay) {
    const engines::Registry registry;
    std::istringstream stream(replay);
    return check_replay(stream, "replay.ndjson", registry);
}

std::vector<std::string> differences(const std::string& replay) {
    const auto checked = check(replay);
    if (!checked) return {"refused: " + checked.error().message};
    return checked->differences;
}

TEST(ReplayCheckTest, AGoodReplayAgrees) {
    const auto checked =
        check(walls_header + turns(idle_turns) + result("played", draw, idle_turns));
    ASSERT_TRUE(checked);
    EXPECT_THAT(checked->differences, IsEmpty());
    EXPECT_EQ(checked->game_id, "friday/1.1");
    EXPECT_EQ(checked->turns, idle_turns);
}

TEST(ReplayCheckTest, WhatWasChangedIsFound) {
    struct Case {
        const char* what;
        std::string replay;
        const char* difference;
    };
    const std::string forfeit_a = "{\"forfeit\":0}\n";
    const std::string b_won =
        R"({"scores":[0,2],"placing":[2,1],"detail":{"bricks":[0,0],"moves":2}})";
    const std::vector<Case> cases{
        {"outcome", walls_header + turns(idle_turns) + result("played", a_won, idle_turns),
         "outcome: recorded"},
        {"count of turns", walls_header + turns(idle_turns) + result("played", draw, 17),
         "turns: recorded 17, played again 18"},
        {"a turn left out", walls_header + turns(17) + result("played", draw, 17),
         "outcome: the game is not over"},
        {"a turn too many", walls_header + turns(19) + result("played", draw, 19),
         "line 20: a turn after the end"},
        {"no outcome", walls_header + turns(idle_turns) + result("played", "null", idle_turns),
         "outcome: recorded null"},
        {"an annulled game with one", walls_header + turns(2) + result("annulled", draw, 2),
         "outcome: a game that does not count"},
        {"a fault that wasn't",
         walls_header + turns(idle_turns) +
             result("played", draw, idle_turns, R"({"code":"illegal"})", 1),
         "faults: recorded 1 bad moves, played again 0"},
        {"a forfeit left out", walls_header + turns(2) + result("forfeited", b_won, 2),
         "outcome: the game is not over"},
        {"a turn after the forfeit",
         walls_header + forfeit_a + turns(1) + result("forfeited", b_won, 1),
         "line 3: a turn after the end"},
    };
    for (const auto& [what, replay, difference] : cases) {
        EXPECT_THAT(differences(replay), ElementsAre(StartsWith(difference))) << what;
    }
    EXPECT_THAT(differences(walls_header + turns(2) + forfeit_a + result("forfeited", b_won, 2)),
                IsEmpty());
    EXPECT_THAT(differences(walls_header + turns(2) + result("interrupted", "null", 2)), IsEmpty());
}

TEST(ReplayCheckTest, RefusesWhatIsNoReplay) {
    const auto end = result("played", draw, idle_turns);
    struct Case {
        std::string replay;
        const char* begins;
    };
    const std::vector<Case> cases{
        {"", "replay.ndjson:1: "},
        {"hello\n", "replay.ndjson:1: "},
        {"{}\n", "replay.ndjson:1: replay: expected a replay of version 1"},
        {R"({"replay":2,"game":"walls"})"
         "\n" +
             end,
         "replay.ndjson:1: replay: expected a replay of version 1"},
        {R"({"replay":"1","game":"walls"})"
         "\n" +
             end,
         "replay.ndjson:1: replay: expected a replay of version 1"},
        {R"({"replay":1,"game":"chess"})"
         "\n" +
             end,
         "replay.ndjson:1: game: "},
        {R"({"replay":1,"game":"walls","params":{"size":2}})"
         "\n" +
             end,
         "replay.ndjson:1: params.size: "},
        {walls_header,
         "replay.ndjson: expected a last line with the result; the replay is cut short"},
        {walls_header + turns(idle_turns),
         "replay.ndjson: expected a last line with the result; the replay is cut short"},
        {walls_header + turns(3) + "{\"mov", "replay.ndjson:5: "},
        {walls_header + turns(1) + "{\"moves\":[\"L\"]}\n" + end, "replay.ndjson:3: moves: "},
        {walls_header + "{\"forfeit\":2}\n" + end,
         "replay.ndjson:2: forfeit: expected a seat below 2"},
        {walls_header + "{\"forfeit\":-1}\n" + end,
         "replay.ndjson:2: forfeit: expected a seat below 2"},
        {walls_header + "{}\n" + end, "replay.ndjson:2: moves: missing"},
    };
    for (const auto& [replay, begins] : cases) {
        const auto checked = check(replay);
        ASSERT_FALSE(checked) << replay;
        EXPECT_THAT(checked.error().message, StartsWith(begins)) << replay;
    }
}

}  // namespace
}  // namespace referee::trace
