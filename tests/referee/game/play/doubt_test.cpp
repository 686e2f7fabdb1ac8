// Turns whose times are known between two bounds only.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "referee/game/play/play.h"
#include "referee/game/trace/story.h"
#include "referee/game/trace/trace.h"
#include "tests/json.h"
#include "tests/referee/game/play/play_driver.h"

namespace referee::play {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// All of the way's jitter counts.
PlaySetup shaky_setup() {
    auto setup = walls_setup();
    setup.clock.jitter_max = 15ms;
    return setup;
}

// The turn of seat 0 was handed over between 10 and 12 ms, on a way of 5 to 20 ms.
Actions send_in_doubt(PlayDriver& driver) {
    driver.begin();
    Actions actions;
    driver.play.turn_sent(0, {at(10ms), at(12ms)}, {5ms, 20ms}, actions);
    return actions;
}

Arrival arrived(Duration earliest, Duration latest) {
    Arrival arrival;
    arrival.at = {at(earliest), at(latest)};
    arrival.path = {5ms, 20ms};
    return arrival;
}

TEST(PlayDoubtTest, TheWaitEndsWhereNoReadingIsInTimeAnyMore) {
    PlayDriver driver(shaky_setup());
    const auto actions = send_in_doubt(driver);
    const auto* armed = std::get_if<ArmDeadline>(&actions.at(0));
    ASSERT_TRUE(armed != nullptr);
    EXPECT_EQ(armed->at, at(12ms + turn_budget + 20ms));
}

TEST(PlayDoubtTest, ALateAnswerIsLookedForSoThatItIsKnownWhenItCame) {
    auto setup = shaky_setup();
    setup.clock.waits_for_late = true;
    PlayDriver driver(setup);
    auto actions = send_in_doubt(driver);
    EXPECT_EQ(std::get<ArmDeadline>(actions.at(0)).look_every, 0ms) << "the deadline looks";
    const auto deadline = std::get<ArmDeadline>(actions.at(0)).at;
    for (const auto now : {deadline, deadline + 1s}) {
        actions.clear();
        driver.play.deadline(0, {.at = Stamp::exact(now)}, actions);
        const auto& armed = std::get<ArmDeadline>(actions.back());
        EXPECT_EQ(armed.look_every, late_look_every);
        EXPECT_EQ(armed.at, deadline + setup.clock.hung_after);
    }
}

TEST(PlayDoubtTest, TheReplayTellsHowAChargeCameAbout) {
    PlayDriver driver(shaky_setup());
    send_in_doubt(driver);
    auto arrival = arrived(151ms, 160ms);
    arrival.allowance = {.round_trip = 45ms, .bound = 5ms, .by = clock::AllowedBy::range};
    arrival.stalled = 20ms;
    arrival.stall_cause = "it slept";
    EXPECT_EQ(driver.answer(0, 1, "\"L\"", arrival), AnswerFate::taken);
    driver.moves(1, "\"L\"");
    driver.stop(GameStatus::interrupted, "enough");
    const auto text = driver.play.replay();
    const auto last = nlohmann::json::parse(text.substr(text.rfind('\n', text.size() - 2) + 1));
    EXPECT_EQ(last["times"], nlohmann::json::parse(R"([{"turn": 1, "seat": 0,
        "round_trip_us": 45000, "allowed_us": 5000, "allowance_us": 5000, "jitter_us": 15000,
        "corrected_us": 20000,
        "cause": "it slept", "doubted_us": 25000}])"))
        << "and nothing of a turn of which its line tells all";
    EXPECT_EQ(last["result"]["round_trip_us"], nlohmann::json::parse("[45000, 0]"));
    EXPECT_EQ(last["result"]["allowed_by"], nlohmann::json::parse(R"(["range", "nothing"])"));
    std::istringstream replay(text);
    const auto checked = trace::check_replay(replay, "replay", games());
    ASSERT_TRUE(checked) << checked.error().message;
    const auto story = trace::tell_story(text, "replay");
    ASSERT_TRUE(story);
    for (const auto* part :
         {"Turn 1, alice: in time, as far as that can be known", "round trip of its way: 45.000 ms",
          "taken off because the referee stood still (it slept): 20.000 ms",
          "    charged: 100.000 ms\n    allowed for the network before that: 5.000 ms\n",
          "besides for its jitter: 15.000 ms", "wall time as measured: 150.000 ms",
          "taken off because its times are known to no better: 25.000 ms"}) {
        EXPECT_THAT(*story, HasSubstr(part));
    }
}

TEST(PlayDoubtTest, AnAnswerThatNoReadingSavesIsLate) {
    PlayDriver driver(shaky_setup());
    send_in_doubt(driver);
    EXPECT_EQ(driver.answer(0, 1, "\"L\"", arrived(132ms + 1us, 133ms)), AnswerFate::late);
    const auto& evidence = driver.play.faults().at(0).evidence;
    EXPECT_EQ(evidence.sent_us, 10'000) << "as far back as it can have been";
    EXPECT_EQ(evidence.received_us, 133'000);
}

// Of a turn that waited and was answered in time, three numbers tell that.
TEST(PlayDoubtTest, AWaitForACoreIsKeptShort) {
    BegunPlay driver(shaky_setup());
    driver.sent(0, 0ms);
    auto answer = arrived(25ms, 25ms);
    answer.path = {};
    answer.waited = 7ms;
    driver.answer(0, 1, "\"X\"", answer);
    driver.stop(GameStatus::interrupted, "enough");
    const auto replay = driver.play.replay();
    EXPECT_THAT(replay, HasSubstr("\"times\":[[1,0,7000]]"));
    const auto story = trace::tell_story(replay, "replay");
    ASSERT_TRUE(story) << story.error().message;
    EXPECT_THAT(*story, HasSubstr("    wall time as measured: 25.000 ms\n"
                                  "    taken off for its wait for a processor: 7.000 ms\n"));
}

TEST(PlayDoubtTest, ABotThatNeverGetsACoreIsNotBlamed) {
    BegunPlay driver(shaky_setup());
    driver.sent(0, 0ms);
    auto silent = arrived(200ms, 200ms);
    silent.waited = 190ms;
    EXPECT_THAT(driver.deadline(0, silent), ElementsAre("arm 0 290000"))
        << "it has had 10 of its 100 ms";
    silent = arrived(2100ms, 2100ms);
    silent.waited = 2090ms;
    driver.deadline(0, silent);
    ASSERT_TRUE(driver.play.finished()) << "20 budgets are the most";
    EXPECT_EQ(driver.play.result().status, GameStatus::annulled);
    EXPECT_THAT(driver.play.result().reason,
                HasSubstr("alice waited 2090.000 ms for a processor in turn 1"));
}

}  // namespace
}  // namespace referee::play
