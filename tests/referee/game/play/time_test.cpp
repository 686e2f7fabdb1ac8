// Answers that come late or never, under each kind of clock.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "tests/referee/game/play/play_driver.h"

namespace referee::play {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(PlayTimeTest, ALateAnswerIsAMissingMoveWithEvidence) {
    BegunPlay driver(walls_setup());
    driver.sent(0, 10ms);
    EXPECT_EQ(driver.answer(0, "\"R\"", 111ms), AnswerFate::late);
    EXPECT_THAT(driver.done, ElementsAre("fault 0", "drop 0", "turn 1"));
    ASSERT_THAT(driver.play.faults(), SizeIs(1)) << "the missing move is no second fault";
    const auto& fault = driver.play.faults()[0];
    EXPECT_EQ(fault.code, FaultCode::late);
    EXPECT_EQ(fault.consequence, Consequence::missing_move);
    EXPECT_EQ(fault.seat, 0U);
    EXPECT_EQ(fault.turn, 1);
    EXPECT_EQ(fault.rule, "clock.turn_budget");
    EXPECT_FALSE(fault.rule_text.empty());
    EXPECT_THAT(fault.message, HasSubstr("alice"));
    EXPECT_THAT(fault.message, HasSubstr("101.000 ms of a budget of 100.000 ms"));
    EXPECT_EQ(fault.evidence.sent_us, 10'000);
    EXPECT_EQ(fault.evidence.received_us, 111'000);
    EXPECT_EQ(fault.evidence.charged_us, 101'000);
    EXPECT_EQ(fault.evidence.allowed_us, 0);
    EXPECT_EQ(fault.evidence.budget_us, 100'000);
    EXPECT_EQ(fault.evidence.method, "test stamp");
    EXPECT_EQ(fault.evidence.measure, protocol::Measure::wall);
    EXPECT_EQ(fault.evidence.received, "{\"move\":\"R\"}");
    EXPECT_EQ(driver.play.history(), "{\"moves\":[null,null],\"used_us\":[101000,0]}\n");
}

TEST(PlayTimeTest, SilenceIsToldFromALineThatIsNoAnswer) {
    struct Case {
        const char* what;
        std::function<void(PlayDriver&)> before;
        const char* says;
        std::optional<std::string> received;
        std::optional<std::int64_t> received_us;
    };
    const auto answer = [](std::int64_t turn) {
        return [turn](PlayDriver& driver) {
            Arrival arrival{.at = Stamp::exact(at(30ms))};
            arrival.line = R"({"move":"R"})";
            driver.answer(0, turn, "\"R\"", arrival);
        };
    };
    const auto none = std::optional<std::string>();
    const auto line = std::optional<std::string>(R"({"move":"R"})");
    for (const auto& [what, before, says, received, received_us] : {
             Case{"nothing", [](PlayDriver&) {}, "nothing came by then", none, {}},
             Case{"a turn to come", answer(8), "no answer to this turn", line, 30'000},
             Case{"a turn that is over", answer(0), "no answer to this turn", line, 30'000},
         }) {
        BegunPlay driver(walls_setup());
        driver.sent(0, 10ms);
        before(driver);
        driver.deadline(0, 110ms);
        ASSERT_THAT(driver.play.faults(), SizeIs(1)) << what;
        const auto& fault = driver.play.faults()[0];
        EXPECT_THAT(fault.message, HasSubstr(says)) << what;
        EXPECT_EQ(fault.evidence.received, received) << what;
        EXPECT_EQ(fault.evidence.received_us, received_us) << what;
        EXPECT_EQ(fault.evidence.noticed_us, 110'000) << what;
        EXPECT_EQ(fault.evidence.charged_us, 100'000) << what;
    }
}

TEST(PlayTimeTest, ALateAnswerWhileOthersAreAwaitedIsOld) {
    BegunPlay driver(cycles_setup(3));
    for (Seat seat = 0; seat < 3; ++seat) driver.sent(seat, 0ms);
    driver.deadline(0, 100ms);
    EXPECT_EQ(driver.answer(0, "[[1,0]]", 101ms), AnswerFate::old_turn);
    EXPECT_EQ(driver.play.turn(), 1);
}

TEST(PlayTimeTest, ThePathIsTheShorterOfTheTwoMeasured) {
    struct Case {
        Duration when_sent, when_answered, allowed;
    };
    for (const auto& [when_sent, when_answered, allowed] :
         {Case{20ms, 20ms, 20ms}, Case{20ms, 80ms, 20ms}, Case{20ms, 5ms, 5ms},
          Case{0ms, 80ms, 0ms}}) {
        BegunPlay driver(walls_setup());
        driver.sent(0, 0ms, when_sent);
        driver.answer(0, 1, "\"L\"",
                      {.at = Stamp::exact(at(50ms)), .path = Path::exact(when_answered)});
        driver.moves(1, "\"L\"");
        const auto last = driver.play.last(0);
        ASSERT_TRUE(last);
        EXPECT_EQ(last->charge.allowed, allowed);
        EXPECT_EQ(last->charge.charged, 50ms - allowed);
    }
}

PlaySetup waiting_setup() {
    auto setup = walls_setup();
    setup.clock.waits_for_late = true;
    setup.clock.hung_after = 300ms;
    return setup;
}

TEST(PlayTimeTest, WaitsForTheLateAnswer) {
    BegunPlay driver(waiting_setup());
    EXPECT_THAT(driver.sent(0, 0ms), ElementsAre("arm 0 100000"));
    EXPECT_THAT(driver.deadline(0, 100ms), ElementsAre("fault 0", "arm 0 400000"));
    EXPECT_TRUE(driver.play.awaits(0));
    EXPECT_EQ(driver.play.faults().at(0).code, FaultCode::late);
    EXPECT_EQ(driver.answer(0, "\"R\"", 250ms), AnswerFate::late);
    EXPECT_THAT(driver.done, ElementsAre("drop 0", "turn 1"));
    EXPECT_THAT(driver.play.faults(), SizeIs(1)) << "one fault a turn";
    EXPECT_EQ(driver.play.history(), "{\"moves\":[null,null],\"used_us\":[250000,0]}\n");
}

TEST(PlayTimeTest, LatenessOverTheGameMakesItHung) {
    BegunPlay driver(waiting_setup());
    driver.sent(0, 0ms);
    driver.deadline(0, 100ms);
    driver.answer(0, "\"R\"", 250ms);
    driver.sent(1, 250ms);
    driver.answer(1, "\"R\"", 260ms);
    EXPECT_THAT(driver.sent(0, 300ms), ElementsAre("arm 0 400000"));
    EXPECT_THAT(driver.deadline(0, 400ms), ElementsAre("fault 1", "arm 0 550000"));
    EXPECT_THAT(driver.deadline(0, 550ms), ElementsAre("fault 2", "drop 0", "drop 1", "finish"));
    EXPECT_EQ(driver.play.faults().at(2).code, FaultCode::hung);
    EXPECT_EQ(driver.play.faults().at(2).consequence, Consequence::forfeit);
    EXPECT_THAT(driver.play.faults().at(2).message,
                HasSubstr("300.000 ms late in all, and 300.000 ms are the limit"));
    const auto& result = driver.play.result();
    EXPECT_EQ(result.status, GameStatus::forfeited);
    EXPECT_THAT(result.reason, HasSubstr("alice forfeits"));
    EXPECT_THAT(result.outcome.placing, ElementsAre(2, 1));
    EXPECT_THAT(result.used_us, ElementsAre(500'000, 10'000));
}

TEST(PlayTimeTest, AnAnswerAfterTheLastOfItsLatenessIsHungToo) {
    BegunPlay driver(waiting_setup());
    driver.sent(0, 0ms);
    driver.deadline(0, 100ms);
    EXPECT_EQ(driver.answer(0, "\"R\"", 400ms), AnswerFate::late);
    EXPECT_EQ(driver.play.faults().back().code, FaultCode::hung);
    EXPECT_TRUE(driver.play.finished());
}

TEST(PlayTimeTest, TimeUsedUpForfeits) {
    auto setup = walls_setup();
    setup.clock =
        clock::completed({.kind = clock::ClockKind::game, .budget = 200ms, .increment = 10ms});
    BegunPlay driver(setup);
    EXPECT_THAT(driver.sent(0, 0ms), ElementsAre("arm 0 200000"));
    EXPECT_EQ(driver.answer(0, "\"L\"", 150ms), AnswerFate::taken);
    EXPECT_EQ(driver.play.budget(0), 60ms);
    EXPECT_EQ(driver.play.budget(1), 200ms);
    driver.sent(1, 150ms);
    driver.answer(1, "\"L\"", 151ms);
    EXPECT_THAT(driver.sent(0, 200ms), ElementsAre("arm 0 260000"));
    EXPECT_THAT(driver.deadline(0, 260ms), ElementsAre("fault 0", "drop 0", "drop 1", "finish"));
    const auto& fault = driver.play.faults().at(0);
    EXPECT_EQ(fault.code, FaultCode::over_budget);
    EXPECT_EQ(fault.rule, "clock.game_budget");
    EXPECT_EQ(fault.evidence.budget_us, 200'000);
    EXPECT_EQ(fault.evidence.charged_us, 60'000);
    EXPECT_EQ(driver.play.result().status, GameStatus::forfeited);
    EXPECT_EQ(driver.play.result().clock_kind, "game");
}

TEST(PlayTimeTest, TheRefereesOwnStallAnnuls) {
    BegunPlay by_answer(walls_setup());
    by_answer.sent(0, 0ms);
    by_answer.answer(0, 1, "\"L\"", {.at = Stamp::exact(at(130ms)), .stalled = 20ms});
    BegunPlay while_waited_for(walls_setup());
    while_waited_for.sent(0, 0ms);
    while_waited_for.deadline(0, 100ms, 20ms);
    while_waited_for.answer(
        0, 1, "\"L\"", {.at = Stamp::exact(at(121ms)), .stalled = 20ms, .stall_cause = "it slept"});
    for (const auto* driver : {&by_answer, &while_waited_for}) {
        ASSERT_TRUE(driver->play.finished());
        EXPECT_EQ(driver->done.back(), "finish");
        EXPECT_EQ(driver->play.result().status, GameStatus::annulled);
        EXPECT_THAT(driver->play.result().reason, HasSubstr("20.000 ms"));
        EXPECT_THAT(driver->play.result().faults, IsEmpty()) << "nobody is blamed";
    }
    EXPECT_THAT(while_waited_for.play.result().reason, HasSubstr("(it slept)"));
}

TEST(PlayTimeTest, ASilentBotGetsTheStallBackTwiceAndIsThenBlamed) {
    BegunPlay driver(walls_setup());
    driver.sent(0, 0ms);
    EXPECT_THAT(driver.deadline(0, 100ms, 20ms), ElementsAre("arm 0 140000"));
    EXPECT_THAT(driver.deadline(0, 140ms, 30ms), ElementsAre("arm 0 160000"))
        << "it stood still again";
    EXPECT_THAT(driver.deadline(0, 160ms, 30ms), ElementsAre("fault 0", "drop 0", "turn 1"));
    EXPECT_EQ(driver.play.faults().at(0).code, FaultCode::late);
    EXPECT_EQ(driver.play.faults().at(0).evidence.charged_us, 130'000);
    EXPECT_FALSE(driver.play.finished());
}

TEST(PlayTimeTest, ARefereeThatStandsStillAllTheTimeWaitsAsLongAgainAndGivesUp) {
    BegunPlay driver(walls_setup());
    driver.sent(0, 0ms);
    EXPECT_THAT(driver.deadline(0, 100ms, 90ms), ElementsAre("arm 0 200000"));
    driver.deadline(0, 200ms, 180ms);
    ASSERT_TRUE(driver.play.finished());
    EXPECT_EQ(driver.play.result().status, GameStatus::annulled);
}

TEST(PlayTimeTest, TheBackstopIsNamedForWhatItIs) {
    auto setup = walls_setup();
    setup.clock = clock::completed({.measure = clock::Measure::cpu, .budget = 50ms});
    BegunPlay driver(setup);
    driver.sent(0, 0ms);
    driver.deadline(0, Arrival{.at = Stamp::exact(at(1s)), .cpu = 3ms});
    const auto& fault = driver.play.faults().at(0);
    EXPECT_EQ(fault.rule, "clock.hard_limit");
    EXPECT_EQ(fault.evidence.budget_us, 1'000'000);
    EXPECT_THAT(fault.message,
                HasSubstr("took 1000.000 ms of wall time, and a turn is over after 1000.000 ms"));
}

TEST(PlayTimeTest, SilentIsToldFromAway) {
    for (const bool away : {false, true}) {
        BegunPlay driver(walls_setup());
        driver.sent(0, 0ms);
        driver.deadline(0, Arrival{.at = Stamp::exact(at(100ms)), .away = away});
        EXPECT_THAT(driver.play.faults().at(0).message,
                    HasSubstr(away ? "it is disconnected" : "perhaps it doesn't flush its output"));
    }
}

// What came before is evidence, and no cause.
TEST(PlayTimeTest, WhyNothingCanComeIsToldBeforeALineThatIsNoAnswer) {
    struct Row {
        bool away;
        bool paused;
        const char* told;
    };
    for (const auto& [away, paused, told] :
         {Row{true, false, "; no answer came, it is disconnected"},
          Row{false, true, "it is not listened to for a while"},
          Row{false, false, "; a line came that is no answer to this turn"}}) {
        BegunPlay driver(walls_setup());
        driver.sent(0, 0ms);
        driver.play.stray(0, "one more", at(1ms));
        driver.deadline(0, Arrival{.at = Stamp::exact(at(100ms)), .away = away, .paused = paused});
        EXPECT_THAT(driver.play.faults().at(0).message, HasSubstr(told));
        EXPECT_EQ(driver.play.faults().at(0).evidence.received, "one more");
    }
}

TEST(PlayTimeTest, TheLineThatIsAwaitedIsTheGamesOwn) {
    BegunPlay driver(walls_setup());
    EXPECT_EQ(driver.play.awaited_line(0),
              R"({"type":"move","game_id":"friday/12.1","turn":1,"move":"F"})");
    EXPECT_EQ(driver.play.awaited_line(1), "") << "it is not to move";
    PlayDriver fresh(walls_setup());
    fresh.start();
    EXPECT_EQ(fresh.play.awaited_line(1), R"({"type":"ready","game_id":"friday/12.1"})");
}

TEST(PlayTimeTest, AnAnswerBeforeItsTurnWasSentIsForTheFuture) {
    BegunPlay driver(walls_setup());
    EXPECT_EQ(driver.answer(0, "\"L\"", 1ms), AnswerFate::future_turn) << "it waits for a core";
    driver.sent(0, 500ms);
    EXPECT_EQ(driver.answer(0, "\"L\"", 501ms), AnswerFate::taken);
    EXPECT_EQ(driver.play.history(), "{\"moves\":[\"L\",null],\"used_us\":[1000,0]}\n");
}

}  // namespace
}  // namespace referee::play
