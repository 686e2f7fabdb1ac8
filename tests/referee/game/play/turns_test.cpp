// Who is asked when: start, ready, turns, answers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/game/play/play.h"
#include "tests/referee/game/play/play_driver.h"

namespace referee::play {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(PlayTurnsTest, BeginsWhenAllAreReady) {
    PlayDriver driver(walls_setup());
    EXPECT_THAT(driver.start(),
                ElementsAre("start 0", "start 1", "arm 0 10000000", "arm 1 10000000"));
    EXPECT_FALSE(driver.play.begun());
    EXPECT_EQ(driver.play.turn(), 0);
    EXPECT_THAT(driver.ready(1), ElementsAre("drop 1"));
    EXPECT_THAT(driver.ready(1), IsEmpty()) << "twice";
    EXPECT_THAT(driver.ready(0), ElementsAre("drop 0", "turn 0"));
    EXPECT_TRUE(driver.play.begun());
    EXPECT_EQ(driver.play.turn(), 1);
    EXPECT_TRUE(driver.play.awaits(0));
    EXPECT_FALSE(driver.play.awaits(1));
    EXPECT_THAT(driver.ready(0), IsEmpty()) << "in the game";
}

TEST(PlayTurnsTest, ReadyTimeBeginsWhenTheStartWasSent) {
    Play play(walls_setup());
    Actions actions;
    play.start(Instant{}, {}, actions);
    ASSERT_EQ(actions.size(), 2U) << "two starts, and no deadline yet";
    actions.clear();
    play.start_sent(1, Instant{} + 4s, actions);
    ASSERT_EQ(actions.size(), 1U);
    EXPECT_EQ(std::get<ArmDeadline>(actions[0]).seat, 1U);
    EXPECT_EQ(std::get<ArmDeadline>(actions[0]).at, Instant{} + 14s);
    play.ready(1, actions);
    actions.clear();
    play.start_sent(1, Instant{} + 6s, actions);
    EXPECT_THAT(actions, IsEmpty()) << "it is ready";
}

TEST(PlayTurnsTest, BeginsWithoutWhoIsNotReadyInTime) {
    auto setup = walls_setup();
    setup.ready_budget = 3s;
    PlayDriver driver(setup);
    EXPECT_THAT(driver.start(),
                ElementsAre("start 0", "start 1", "arm 0 3000000", "arm 1 3000000"));
    driver.ready(0);
    EXPECT_THAT(driver.deadline(0, 3s), IsEmpty()) << "that one is ready";
    EXPECT_THAT(driver.deadline(1, 3s), ElementsAre("fault 0", "drop 1", "turn 0"));
    const auto& fault = driver.play.faults().at(0);
    EXPECT_EQ(fault.code, FaultCode::late);
    EXPECT_EQ(fault.rule, "start.ready");
    EXPECT_EQ(fault.seat, 1U);
    EXPECT_EQ(fault.turn, 0);
    EXPECT_EQ(fault.consequence, Consequence::none);
    EXPECT_EQ(fault.evidence.budget_us, 3'000'000);
    EXPECT_EQ(fault.evidence.sent_us, 0);
    EXPECT_EQ(fault.evidence.noticed_us, 3'000'000);
    EXPECT_FALSE(fault.evidence.received_us) << "nothing was";
}

TEST(PlayTurnsTest, EndsWithoutAResultWhereAllMustBeReady) {
    auto setup = cycles_setup(3);
    setup.ready_budget = 3s;
    setup.needs_all_ready = true;
    PlayDriver driver(setup);
    driver.start();
    driver.deadline(2, 3s);
    EXPECT_FALSE(driver.play.finished()) << "two may be ready yet, and each is judged by itself";
    driver.ready(0);
    EXPECT_THAT(driver.play.not_ready(), ElementsAre(2));
    driver.deadline(1, 3s);
    ASSERT_TRUE(driver.play.finished());
    EXPECT_THAT(driver.play.not_ready(), ElementsAre(1, 2));
    EXPECT_EQ(driver.play.result().status, GameStatus::interrupted);
    EXPECT_EQ(driver.play.result().reason, setup.bots[1] + ", " + setup.bots[2] +
                                               " were not ready in time: the match is dropped");
    EXPECT_EQ(driver.play.turn(), 0);
    BegunPlay good(setup);
    EXPECT_TRUE(good.play.begun());
}

TEST(PlayTurnsTest, ATurnThatIsSentArmsItsDeadline) {
    PlayDriver driver(walls_setup());
    EXPECT_THAT(driver.sent(0, 1ms), IsEmpty()) << "before the game";
    driver.begin();
    EXPECT_THAT(driver.sent(0, 5ms), ElementsAre("arm 0 105000"));
    EXPECT_EQ(driver.play.sent_at(0), at(5ms));
    EXPECT_EQ(driver.play.budget_left(0, at(35ms)), 70ms);
    EXPECT_EQ(driver.play.budget_left(0, at(1s)), 0ms);
    EXPECT_THAT(driver.sent(1, 5ms), IsEmpty()) << "not to move";
    EXPECT_THAT(driver.sent(0, 6ms, 20ms), ElementsAre("arm 0 126000")) << "with the path";
}

TEST(PlayTurnsTest, AnswersThatDontFit) {
    PlayDriver driver(walls_setup());
    driver.start();
    EXPECT_EQ(driver.answer(0, 1, "\"L\"", {}), AnswerFate::future_turn) << "before the game";
    driver.ready(0);
    driver.ready(1);
    EXPECT_EQ(driver.answer(0, 2, "\"L\"", {}), AnswerFate::future_turn);
    EXPECT_EQ(driver.answer(0, 0, "\"L\"", {}), AnswerFate::old_turn);
    EXPECT_EQ(driver.answer(0, -5, "\"L\"", {}), AnswerFate::old_turn);
    EXPECT_EQ(driver.answer(1, 1, "\"L\"", {}), AnswerFate::not_to_move);
    EXPECT_THAT(driver.done, IsEmpty());
    EXPECT_EQ(driver.moves(0, "\"L\""), AnswerFate::taken);
    EXPECT_EQ(driver.answer(0, 1, "\"L\"", {}), AnswerFate::old_turn);
    EXPECT_EQ(driver.answer(0, 2, "\"L\"", {}), AnswerFate::not_to_move);
    EXPECT_THAT(driver.done, IsEmpty());
    EXPECT_EQ(driver.play.turn(), 2);
    EXPECT_THAT(driver.play.faults(), IsEmpty());
}

TEST(PlayTurnsTest, SeatsThatMoveAtOnceWaitForEachOther) {
    PlayDriver driver(cycles_setup(2));
    driver.start();
    driver.ready(0);
    EXPECT_THAT(driver.ready(1), ElementsAre("drop 1", "turn 0", "turn 1"));
    driver.sent(0, 0ms);
    driver.sent(1, 0ms);
    EXPECT_EQ(driver.answer(1, "[[6,5]]", 2ms), AnswerFate::taken);
    EXPECT_THAT(driver.done, ElementsAre("drop 1"));
    EXPECT_EQ(driver.answer(1, "[[5,6]]", 3ms), AnswerFate::answered) << "the first one stands";
    EXPECT_THAT(driver.done, IsEmpty());
    EXPECT_EQ(driver.play.turn(), 1);
    EXPECT_EQ(driver.answer(0, "[[1,0]]", 4ms), AnswerFate::taken);
    EXPECT_THAT(driver.done, ElementsAre("drop 0", "turn 0", "turn 1"));
    EXPECT_EQ(driver.play.history(), "{\"moves\":[[[1,0]],[[6,5]]],\"used_us\":[4000,2000]}\n");
}

TEST(PlayTurnsTest, LastTellsWhatBecameOfTheAnswer) {
    BegunPlay driver(walls_setup());
    EXPECT_FALSE(driver.play.last(0));
    EXPECT_FALSE(driver.play.last(1));
    driver.sent(0, 0ms);
    driver.answer(0, "\"X\"", 20ms);
    EXPECT_FALSE(driver.play.last(1)) << "it hasn't moved";
    driver.sent(1, 20ms);
    driver.deadline(1, 120ms);
    const auto first = driver.play.last(0);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->turn, 1);
    EXPECT_EQ(first->charge.charged, 20ms);
    EXPECT_EQ(first->move, "\"X\"");
    ASSERT_EQ(first->notes.size(), 1U);
    EXPECT_EQ(first->notes[0].code, "malformed_move");
    driver.moves(0, "\"L\"");
    const auto second = driver.play.last(1);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->turn, 2);
    EXPECT_EQ(second->move, "null");
    EXPECT_TRUE(second->charge.late);
}

TEST(PlayTurnsTest, PlaysToTheEnd) {
    BegunPlay driver(walls_setup());
    for (Seat seat = 0; !driver.play.finished(); seat = 1 - seat) {
        ASSERT_EQ(driver.moves(seat, "\"L\""), AnswerFate::taken);
    }
    EXPECT_THAT(driver.done, ElementsAre("drop 1", "drop 0", "drop 1", "finish"));
    const auto& result = driver.play.result();
    EXPECT_EQ(result.status, GameStatus::played);
    EXPECT_FALSE(result.reason.empty());
    EXPECT_EQ(result.turns, 18);
    EXPECT_EQ(result.key, (GameKey{"friday", 12, 1, 1}));
    EXPECT_EQ(result.game, "walls");
    EXPECT_EQ(result.params, R"({"size":3,"first":0})");
    EXPECT_EQ(result.seed, 7U);
    EXPECT_THAT(result.bots, ElementsAre("alice", "bob"));
    EXPECT_THAT(result.used_us, ElementsAre(9000, 9000));
    EXPECT_THAT(result.outcome.placing, ElementsAre(1, 1));
    EXPECT_EQ(result.clock_kind, "turn");
    EXPECT_EQ(result.measure, "wall");
    EXPECT_EQ(result.faults_total, 0U);
    EXPECT_EQ(driver.play.id(), "friday/12.1");
}

TEST(PlayTurnsTest, StoppedGamesDontCount) {
    for (const auto status : {GameStatus::annulled, GameStatus::interrupted}) {
        BegunPlay driver(walls_setup());
        driver.moves(0, "\"L\"");
        EXPECT_THAT(driver.stop(status, "the lights went out"),
                    ElementsAre("drop 0", "drop 1", "finish"));
        EXPECT_TRUE(driver.play.finished());
        EXPECT_EQ(driver.play.result().status, status);
        EXPECT_EQ(driver.play.result().reason, "the lights went out");
        EXPECT_THAT(driver.play.result().outcome.scores, IsEmpty());
        EXPECT_EQ(driver.play.result().turns, 1);
        EXPECT_THAT(driver.stop(GameStatus::annulled, "again"), IsEmpty());
        EXPECT_EQ(driver.play.result().status, status);
        EXPECT_THAT(driver.deadline(1, 1s), IsEmpty());
        EXPECT_THAT(driver.misbehaved(1, FaultCode::crashed), IsEmpty());
        EXPECT_THAT(driver.sent(1, 1s), IsEmpty());
        EXPECT_NE(driver.answer(1, "\"L\"", 1s), AnswerFate::taken);
        EXPECT_EQ(driver.play.result().faults_total, 0U);
    }
}

TEST(PlayTurnsTest, WhoLeavesBeforeItsReadyKeepsNobodyForAllItsTurns) {
    for (const bool ladder : {false, true}) {
        auto setup = walls_setup();
        setup.needs_all_ready = ladder;
        PlayDriver driver(setup);
        driver.start();
        driver.ready(1);
        driver.misbehaved(0, FaultCode::disconnected, 5ms);
        driver.deadline(0, 10s);
        EXPECT_TRUE(driver.play.finished());
        EXPECT_EQ(driver.play.result().status,
                  ladder ? GameStatus::interrupted : GameStatus::forfeited);
        if (ladder) continue;
        EXPECT_EQ(driver.play.result().reason, "alice left before it was ready");
        EXPECT_EQ(driver.play.faults().back().consequence, Consequence::forfeit);
    }
    PlayDriver here(walls_setup());
    here.start();
    here.ready(1);
    here.deadline(0, 10s);
    EXPECT_FALSE(here.play.finished()) << "it is slow, and there";
}

TEST(PlayTurnsTest, MovesOfTooManyBytesAreAFlood) {
    PlayDriver driver(walls_setup());
    driver.begin();
    const auto large = '"' + std::string(move_bytes_max / 3, 'x') + '"';
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(driver.moves(0, large), AnswerFate::taken);
        driver.moves(1, "\"L\"");
    }
    EXPECT_EQ(driver.moves(0, large), AnswerFate::late);
    const auto& result = driver.play.result();
    EXPECT_EQ(result.status, GameStatus::forfeited);
    EXPECT_EQ(result.faults.back().code, FaultCode::flooding);
    EXPECT_EQ(result.faults.back().seat, 0U);
    EXPECT_LT(driver.play.history().size(), move_bytes_max);
}

TEST(PlayTurnsTest, WhoLeftAnEarlierGameIsToldThatInTheLaterOnes) {
    auto setup = walls_setup();
    setup.absences[1].cause = "it was away";
    setup.absences[1].left = "t/1.1";
    PlayDriver driver(setup);
    driver.start({1});
    EXPECT_EQ(driver.play.faults().at(0).message,
              "bob did not show up for the game; it left game t/1.1 and did not come back; "
              "it was away");
    EXPECT_EQ(driver.play.result().reason,
              "bob did not show up; it left game t/1.1 and did not come back");
}

}  // namespace
}  // namespace referee::play
