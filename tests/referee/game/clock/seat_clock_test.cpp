#include <gtest/gtest.h>

#include "referee/game/clock/seat_clock.h"
#include "tests/referee/game/clock/cases.h"

namespace referee::clock {
namespace {

using namespace std::chrono_literals;

TEST(SeatClockTest, WithoutABudgetOnlyTheHardLimitCounts) {
    const ClockConfig told{.kind = ClockKind::none, .budget = 50ms, .hard_limit = 1s};
    check({
        {"over what is told", {.wall = 900ms}, {.charged = 900ms}, told},
        {"over the hard limit", {.wall = 1001ms}, {.charged = 1001ms, .late = true}, told},
        {"no answer", {.wall = 1s}, {.charged = 1s, .late = true}, told, Ends::expired},
        {"allowance is not bounded by what is told",
         {.wall = 300ms, .path = Path::exact(200ms)},
         {.charged = 100ms, .allowed = 200ms},
         told},
    });
    EXPECT_EQ(SeatClock(told).budget(), 50ms);
    EXPECT_EQ(SeatClock({.kind = ClockKind::none}).wait_limit(Path::exact(0ms)),
              hard_limit_default);
}

TEST(SeatClockTest, TheNetworksAllowance) {
    auto off = turn_of_100ms;
    off.allowance = false;
    auto small = turn_of_100ms;
    small.allowance_max = 5ms;
    const ClockConfig second{.budget = 1s};
    const ClockConfig short_turn{.budget = 10ms};
    const ClockConfig by_cpu{.measure = Measure::cpu, .budget = 100ms};
    check({
        {"taken off",
         {.wall = 115ms, .path = Path::exact(20ms)},
         {.charged = 95ms, .allowed = 20ms}},
        {"not beyond it",
         {.wall = 121ms, .path = Path::exact(20ms)},
         {.charged = 101ms, .allowed = 20ms, .late = true}},
        {"not more than was spent", {.wall = 3ms, .path = Path::exact(20ms)}, {.allowed = 3ms}},
        {"not more than its limit",
         {.wall = 900ms, .path = Path::exact(400ms)},
         {.charged = 650ms, .allowed = 250ms},
         second},
        {"not more than the limit that was set",
         {.wall = 50ms, .path = Path::exact(20ms)},
         {.charged = 45ms, .allowed = 5ms},
         small},
        {"more than the budget, where the way is longer",
         {.wall = 59ms, .path = Path::exact(50ms)},
         {.charged = 9ms, .allowed = 50ms},
         short_turn},
        {"switched off",
         {.wall = 101ms, .path = Path::exact(20ms)},
         {.charged = 101ms, .late = true},
         off},
        {"none of processor time",
         {.wall = 200ms, .path = Path::exact(20ms), .cpu = 60ms},
         {.charged = 60ms},
         by_cpu},
        {"a path of unknown length", {.wall = 60ms}, {.charged = 60ms}},
    });
}

TEST(SeatClockTest, ProcessorTimeAndItsBackstop) {
    const ClockConfig config{.measure = Measure::cpu, .budget = 50ms};
    check({
        {"a long wait, little work", {.wall = 900ms, .cpu = 40ms}, {.charged = 40ms}, config},
        {"too much work", {.wall = 60ms, .cpu = 51ms}, {.charged = 51ms, .late = true}, config},
        {"asleep beyond the backstop",
         {.wall = 1001ms, .cpu = 1ms},
         {.charged = 1ms, .late = true},
         config},
        {"the path is no sleep",
         {.wall = 1005ms, .path = Path::exact(10ms), .cpu = 1ms},
         {.charged = 1ms},
         config},
        {"no answer",
         {.wall = 1s, .cpu = 1ms},
         {.charged = 1ms, .late = true},
         config,
         Ends::expired},
        {"not measured: wall time", {.wall = 40ms}, {.charged = 40ms}, config},
    });
    EXPECT_EQ(SeatClock(config).wait_limit(Path::exact(0ms)), 1s);
}

TEST(SeatClockTest, WaitLimit) {
    auto off = turn_of_100ms;
    off.allowance = false;
    struct Row {
        ClockConfig config;
        Duration round_trip, limit;
    };
    const std::vector<Row> rows{
        {turn_of_100ms, 0ms, 100ms},
        {turn_of_100ms, 20ms, 120ms},
        {turn_of_100ms, 900ms, 350ms},
        {off, 20ms, 100ms},
        {{.budget = 1s}, 900ms, 1250ms},
        {{.budget = 1s, .hard_limit = 300ms}, 10ms, 310ms},
        {{.kind = ClockKind::game, .budget = 10s, .hard_limit = 2s}, 0ms, 2s},
        {{.kind = ClockKind::game, .budget = 1s, .hard_limit = 2s}, 0ms, 1s},
        {{.kind = ClockKind::none, .budget = 50ms, .hard_limit = 1s}, 20ms, 1020ms},
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(SeatClock(rows[i].config).wait_limit(Path::exact(rows[i].round_trip)),
                  rows[i].limit)
            << "row " << i;
    }
}

// What is charged under `game` adds up, and so does the jitter of the way.
TEST(SeatClockTest, OfAGamesTimeTheWayIsTakenOffAsItIsOnAverage) {
    const Path way{20ms, 40ms, 9ms};
    for (const auto kind : {ClockKind::turn, ClockKind::game}) {
        SeatClock clock({.kind = kind, .budget = 1s});
        const auto charge = clock.answered({.wall = 49ms, .path = way});
        const auto mean = kind == ClockKind::game ? 9ms : 0ms;
        EXPECT_EQ(charge.charged, 29ms - mean);
        EXPECT_EQ(charge.allowed, 20ms + mean);
        EXPECT_EQ(charge.round_trip, 20ms + mean);
        EXPECT_EQ(charge.jitter, 20ms - mean) << "what is left of it";
    }
}

TEST(SeatClockTest, AGamesTimeRunsDownAndFlags) {
    SeatClock clock({.kind = ClockKind::game, .budget = 10s, .increment = 100ms});
    EXPECT_EQ(clock.budget(), 10s);
    EXPECT_FALSE(clock.answered({.wall = 3s}).flag);
    EXPECT_EQ(clock.remaining(), 7100ms);
    EXPECT_EQ(clock.budget(), 7100ms);
    const auto to_the_last = clock.answered({.wall = 7100ms});
    EXPECT_FALSE(to_the_last.flag || to_the_last.late);
    EXPECT_EQ(clock.remaining(), 100ms);
    EXPECT_TRUE(clock.answered({.wall = 101ms}).flag);
    EXPECT_EQ(clock.used(), 10201ms);
    EXPECT_GE(clock.budget(), Duration::zero());
}

TEST(SeatClockTest, LatenessIsSummedUntilHung) {
    SeatClock clock({.budget = 1s, .waits_for_late = true, .hung_after = 3s});
    EXPECT_EQ(clock.hung_limit(Path::exact(0ms)), 4s);
    EXPECT_EQ(clock.hung_limit(Path::exact(100ms)), 4100ms);
    const auto first = clock.answered({.wall = 2500ms});
    EXPECT_TRUE(first.late);
    EXPECT_FALSE(first.hung);
    EXPECT_EQ(clock.hung_limit(Path::exact(0ms)), 2500ms);
    EXPECT_FALSE(clock.answered({.wall = 900ms}).late);
    EXPECT_EQ(clock.hung_limit(Path::exact(0ms)), 2500ms)
        << "a turn in time gives and takes nothing";
    auto other = clock;
    EXPECT_FALSE(other.answered({.wall = 2499ms}).hung);
    EXPECT_TRUE(clock.expired({.wall = clock.hung_limit(Path::exact(0ms))}).hung);
}

TEST(SeatClockTest, WithoutWaitingNobodyHangs) {
    SeatClock clock({.budget = 1s, .hung_after = 1s});
    for (int turn = 0; turn < 5; ++turn) EXPECT_FALSE(clock.answered({.wall = 3s}).hung);
}

TEST(ToldChargeTest, JitterIsToldWhereItMatters) {
    struct Row {
        const char* what;
        Duration wall;
        std::int64_t jitter_us;
    };
    for (const auto& [what, wall, jitter_us] :
         {Row{"early", 40ms, 0}, Row{"just below nine tenths", 46'999us, 0},
          Row{"nine tenths", 47ms, 3'000}, Row{"in doubt", 54ms, 3'000},
          Row{"late", 56ms, 3'000}}) {
        SeatClock clock({.budget = 50ms});
        const auto charge = clock.answered({.wall = wall, .path = {2ms, 5ms}});
        EXPECT_EQ(as_told(charge).jitter_us, jitter_us) << what;
    }
}

// The way had 7 ms when the turn was sent; the new connection has 10.
TEST(ToldChargeTest, TheAllowanceIsTheMostOfThisTurn) {
    SeatClock clock({.budget = 50ms});
    const auto charge =
        clock.answered({.wall = 30ms, .path = Path::exact(7ms), .round_trip = 10ms});
    EXPECT_EQ(charge.round_trip, 10ms);
    EXPECT_EQ(charge.allowance, 7ms);
    SeatClock quick({.budget = 50ms});
    EXPECT_EQ(quick.answered({.wall = 3ms, .path = Path::exact(7ms)}).allowance, 7ms)
        << "though less was needed";
}

TEST(DoubtsTest, ManyAreMoreThanATenthOfTwentyTurns) {
    struct Row {
        int turns;
        int by_doubt;
        bool many;
    };
    for (const auto& [turns, by_doubt, many] :
         {Row{19, 19, false}, Row{20, 2, false}, Row{20, 3, true}, Row{100, 10, false}}) {
        Doubts doubts;
        for (int i = 0; i < turns; ++i) {
            Charge charge;
            if (i < by_doubt) charge.doubted = 4ms;
            doubts.count(charge);
        }
        EXPECT_EQ(doubts.many(), many) << by_doubt << " of " << turns;
    }
    Doubts doubts;
    doubts.count({.doubted = 4ms});
    doubts.count({.doubted = 4ms, .late = true});
    doubts.count({});
    EXPECT_EQ(describe(doubts),
              "1 of 3 turns were in time only by doubt, 4.000 ms taken off in all");
}

}  // namespace
}  // namespace referee::clock
