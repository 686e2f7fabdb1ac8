// Answers that come when their turn is over, and what is told of a bot that sent none in time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "referee/game/trace/story.h"
#include "tests/json.h"
#include "tests/referee/game/play/play_driver.h"

namespace referee::play {

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Arrival arrived(Duration when, Path path = {}) {
    Arrival arrival{.at = Stamp::exact(at(when)), .path = path};
    arrival.line = R"({"move":"L"})";
    return arrival;
}

// Seat 0 has not answered its turn 1, which was sent at 10 ms, and bob is to move.
void miss(PlayDriver& driver) {
    driver.begin();
    driver.sent(0, 10ms);
    driver.deadline(0, 110ms);
    ASSERT_EQ(driver.play.turn(), 2);
}

std::string story_of(PlayDriver& driver) {
    driver.stop(GameStatus::interrupted, "enough");
    return trace::tell_story(driver.play.replay(), "replay").value();
}

TEST(PlayOverdueTest, HowLongItReallyTookIsTold) {
    PlayDriver driver(walls_setup());
    miss(driver);
    EXPECT_EQ(driver.answer(0, 1, "\"L\"", arrived(183'210us)), AnswerFate::old_turn);
    const auto overdue = driver.play.overdue(0);
    ASSERT_TRUE(overdue);
    EXPECT_EQ(overdue->took, 173'210us);
    EXPECT_EQ(overdue->over, 73'210us);
    EXPECT_EQ(driver.answer(0, 1, "\"L\"", arrived(190ms)), AnswerFate::old_turn);
    EXPECT_FALSE(driver.play.overdue(0)) << "the first answer counts";
    const auto story = story_of(driver);
    EXPECT_THAT(story, HasSubstr("its answer came after all: 173.210 ms after the turn was sent, "
                                 "and so 73.210 ms too late"));
    const auto text = driver.play.replay();
    const auto last = nlohmann::json::parse(text.substr(text.rfind('\n', text.size() - 2) + 1));
    EXPECT_EQ(last["times"],
              nlohmann::json::parse(R"([{"turn":1,"seat":0,"took_us":173210,"over_us":73210}])"));
}

TEST(PlayOverdueTest, AnOldTurnsTimesStandBeforeThoseOfTheNext) {
    PlayDriver driver(walls_setup());
    miss(driver);
    Actions actions;
    driver.play.turn_sent(1, Stamp::exact(at(120ms)), {5ms, 5ms}, actions);
    driver.answer(1, 2, "\"L\"", arrived(150ms, {5ms, 5ms}));
    driver.answer(0, 1, "\"L\"", arrived(160ms));
    EXPECT_THAT(driver.play.replay(),
                HasSubstr(R"("times":[{"turn":1,"seat":0,"took_us":150000,"over_us":50000},)"
                          R"({"turn":2,"seat":1,"round_trip_us":5000,"allowed_us":5000}])"));
}

TEST(PlayOverdueTest, WhatAMissedTurnWaitedForACoreIsToldWithIt) {
    BegunPlay driver(walls_setup());
    driver.sent(0, 10ms);
    auto silent = arrived(150ms);
    silent.waited = 30ms;
    driver.deadline(0, silent);
    ASSERT_EQ(driver.play.turn(), 2);
    driver.answer(0, 1, "\"L\"", arrived(160ms));
    EXPECT_THAT(driver.play.replay(), HasSubstr(R"("times":[{"turn":1,"seat":0,"waited_us":30000,)"
                                                R"("took_us":150000,"over_us":20000}])"));
}

// The way and its jitter could have been taken off.
TEST(PlayOverdueTest, WhatCouldBeTakenOffIsNotTooLate) {
    BegunPlay driver(walls_setup());
    Actions actions;
    driver.play.turn_sent(0, Stamp::exact(at(10ms)), {10ms, 20ms}, actions);
    driver.deadline(0, arrived(130ms, {10ms, 20ms}));
    ASSERT_EQ(driver.play.turn(), 2);
    driver.answer(0, 1, "\"L\"", arrived(131ms));
    ASSERT_TRUE(driver.play.overdue(0));
    EXPECT_EQ(driver.play.overdue(0)->over, 1ms);
    EXPECT_THAT(driver.play.replay(), HasSubstr("\"jitter_us\":10000,\"took_us\":121000"));
}

TEST(PlayOverdueTest, ASecondAnswerIsToldFromALateOne) {
    PlayDriver driver(walls_setup());
    miss(driver);
    EXPECT_FALSE(driver.play.has_answered(0, 1));
    driver.sent(1, 120ms);
    driver.answer(1, 2, "\"L\"", arrived(130ms));
    EXPECT_TRUE(driver.play.has_answered(1, 2));
    EXPECT_FALSE(driver.play.has_answered(1, 1));
}

TEST(PlayOverdueTest, SilenceIsToldAsSuch) {
    PlayDriver driver(walls_setup());
    miss(driver);
    EXPECT_THAT(story_of(driver), HasSubstr("    no answer came while the game was on\n"));
}

TEST(PlayOverdueTest, AnAnswerThatEndsItsTurnIsNeitherMissingNorOverdue) {
    BegunPlay driver(walls_setup());
    driver.sent(0, 10ms);
    EXPECT_EQ(driver.answer(0, 1, "\"L\"", arrived(111ms)), AnswerFate::late);
    EXPECT_FALSE(driver.play.overdue(0));
    const auto& evidence = driver.play.faults().at(0).evidence;
    EXPECT_EQ(evidence.received_us, 111'000);
    EXPECT_FALSE(evidence.noticed_us);
    const auto story = story_of(driver);
    EXPECT_THAT(story, Not(HasSubstr("answer came")));
}

TEST(PlayOverdueTest, ALateAnswerThatIsWaitedForTellsItToo) {
    auto setup = walls_setup();
    setup.clock.waits_for_late = true;
    BegunPlay driver(setup);
    driver.sent(0, 10ms);
    driver.deadline(0, 110ms);
    ASSERT_EQ(driver.play.turn(), 1);
    EXPECT_EQ(driver.answer(0, 1, "\"L\"", arrived(150ms)), AnswerFate::late);
    EXPECT_THAT(story_of(driver), HasSubstr("its answer came after all: 140.000 ms after the turn "
                                            "was sent, and so 40.000 ms too late"));
}

// The fault tells what was charged when the time was over.
TEST(PlayOverdueTest, TheWallTimeOfAnAnswerThatIsWaitedForIsWhole) {
    auto setup = walls_setup();
    setup.clock.waits_for_late = true;
    BegunPlay driver(setup);
    driver.sent(0, 10ms);
    driver.deadline(0, 110ms);
    auto late = arrived(150ms);
    late.waited = 15ms;
    EXPECT_EQ(driver.answer(0, 1, "\"L\"", late), AnswerFate::late);
    EXPECT_THAT(story_of(driver), HasSubstr("wall time as measured: 140.000 ms"));
}

// An answer to turn 1 comes in turn 3, to which none comes.
TEST(PlayOverdueTest, AnOldAnswerInAMissedTurnIsToldFromItsOwn) {
    PlayDriver driver(walls_setup());
    miss(driver);
    driver.sent(1, 111ms);
    driver.answer(1, "\"L\"", 112ms);
    driver.sent(0, 113ms);
    EXPECT_EQ(driver.answer(0, 1, "\"L\"", arrived(115'037us)), AnswerFate::old_turn);
    driver.deadline(0, 213'089us);
    const auto& fault = driver.play.faults().at(1);
    EXPECT_EQ(fault.turn, 3);
    EXPECT_THAT(fault.message, HasSubstr("; its answer to turn 1 came 2.037 ms into this turn, and "
                                         "none to turn 3 had come by then"));
    EXPECT_EQ(fault.evidence.received_us, 115'037);
    EXPECT_EQ(fault.evidence.noticed_us, 213'089);
    EXPECT_THAT(story_of(driver),
                HasSubstr("noticed: 213.089 ms, 100.089 ms after the turn was sent"));
}

TEST(PlayOverdueTest, AWayThatIsToBlameIsNamed) {
    BegunPlay driver(walls_setup());
    driver.sent(0, 10ms, 7ms);
    auto late = arrived(200ms, Path::exact(7ms));
    late.allowance.round_trip = 10ms;
    EXPECT_EQ(driver.answer(0, 1, "\"L\"", late), AnswerFate::late);
    const auto& fault = driver.play.faults().at(0);
    EXPECT_THAT(fault.message,
                HasSubstr("; its way takes 10.000 ms, and 7.000 ms are allowed for it"));
    EXPECT_EQ(fault.evidence.round_trip_us, 10'000);
    EXPECT_EQ(fault.evidence.allowance_us, 7'000);
    EXPECT_THAT(story_of(driver), HasSubstr("the most that was allowed for that: 7.000 ms"));
}

TEST(PlayOverdueTest, AWayThatIsAllowedIsNotBlamed) {
    BegunPlay driver(walls_setup());
    driver.sent(0, 10ms, 7ms);
    auto late = arrived(200ms, Path::exact(7ms));
    late.allowance.round_trip = 7ms;
    driver.answer(0, 1, "\"L\"", late);
    const auto& fault = driver.play.faults().at(0);
    EXPECT_THAT(fault.message, Not(HasSubstr("its way")));
    EXPECT_FALSE(fault.evidence.round_trip_us);
    EXPECT_FALSE(fault.evidence.allowance_us);
}

// What is known of a bot that sent no line, from what tells most to what tells least.
TEST(PlaySilenceTest, SilenceIsToldByWhatIsKnownOfIt) {
    struct Case {
        std::size_t half_line;
        std::optional<Duration> worked;
        bool has_answered;
        const char* told;
        const char* untold;
    };
    const Case cases[] = {
        {1, 90ms, false, "half a line is waiting (1 byte): end it with a line feed", "thinking"},
        {42, {}, true, "half a line is waiting (42 bytes)", "flush"},
        {0, 50ms, true, "it was thinking, it used 50.000 ms of processor time in 100.000 ms",
         "flush"},
        {0, 49ms, true, "nothing came by then: it used 49.000 ms of processor time", "thinking"},
        {0, 5ms, true, "it slept or waited for input, it used 5.000 ms", "flush"},
        {0, 5ms, false,
         "it slept or waited for input, it used 5.000 ms of processor time in 100.000 ms; perhaps "
         "it doesn't flush its output",
         "thinking"},
        {0, {}, true, "nothing came by then: it thinks too long, or waits for something", "flush"},
        {0, {}, false, "no answer to an earlier turn either; perhaps it doesn't flush", "thinking"},
    };
    for (const auto& one : cases) {
        BegunPlay driver(walls_setup());
        auto begun = 0ms;
        if (one.has_answered) {
            for (const Seat seat : {Seat{0}, Seat{1}}) {
                driver.sent(seat, 0ms);
                EXPECT_EQ(driver.answer(seat, "\"L\"", 1ms), AnswerFate::taken);
            }
            begun = 10ms;
        }
        driver.sent(0, begun);
        driver.deadline(0, Arrival{.at = Stamp::exact(at(begun + 100ms)),
                                   .half_line = one.half_line,
                                   .worked = one.worked});
        const auto& message = driver.play.faults().at(0).message;
        EXPECT_THAT(message, HasSubstr(one.told));
        EXPECT_THAT(message, Not(HasSubstr(one.untold)));
    }
}

// Of two who gave these moves and then are silent: what the second one is told.
std::string told_second(PlaySetup setup, std::array<const char*, 2> moves, bool first_is_away) {
    BegunPlay driver(std::move(setup));
    for (const Seat seat : {Seat{0}, Seat{1}}) driver.moves(seat, moves.at(seat));
    driver.sent(0, 10ms);
    driver.deadline(0, Arrival{.at = Stamp::exact(at(120ms)), .away = first_is_away});
    EXPECT_THAT(driver.play.faults().at(0).message, Not(HasSubstr("they share")))
        << "the other isn't late yet";
    driver.sent(1, 130ms);
    driver.deadline(1, 240ms);
    return driver.play.faults().at(1).message;
}

constexpr std::array cycles_moves{"[[1,0]]", "[[6,5]]"};

TEST(PlaySilenceTest, WhereBothAreSilentInOneTurnTheirMachineMayBeBusy) {
    EXPECT_THAT(told_second(cycles_setup(2), cycles_moves, false),
                HasSubstr("nothing came by then: it thinks too long, or waits for something; nor "
                          "did anything come from another bot in this turn: a machine that they "
                          "share, or the way to it, may be too busy"));
}

TEST(PlaySilenceTest, WhoIsDisconnectedOrHadAnotherTurnTellsNothingOfAMachine) {
    for (const auto& told : {told_second(cycles_setup(2), cycles_moves, true),
                             told_second(walls_setup(), {"\"L\"", "\"L\""}, false)})
        EXPECT_THAT(told, AllOf(HasSubstr("nothing came by then: it thinks too long, or waits for "
                                          "something"),
                                Not(HasSubstr("they share"))));
}

}  // namespace

}  // namespace referee::play
