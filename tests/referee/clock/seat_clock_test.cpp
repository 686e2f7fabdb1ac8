#include "referee/clock/seat_clock.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace referee::clock {
namespace {

using namespace std::chrono_literals;

const ClockConfig turn_of_100ms{.kind = ClockKind::turn, .budget = 100ms};

enum class Ends : std::uint8_t { answered, expired };

struct Verdict {
    Duration charged{};
    Duration allowed{};
    Duration corrected{};
    bool late = false, hung = false, flag = false;
};

struct Case {
    const char* what;
    ClockConfig config;
    Ends ends;
    Spent spent;
    Verdict verdict;
};

void check(const std::vector<Case>& cases) {
    for (const auto& [what, config, ends, spent, verdict] : cases) {
        SeatClock clock(config);
        const auto charge = ends == Ends::answered ? clock.answered(spent) : clock.expired(spent);
        EXPECT_EQ(charge.charged, verdict.charged) << what;
        EXPECT_EQ(charge.allowed, verdict.allowed) << what;
        EXPECT_EQ(charge.corrected, verdict.corrected) << what;
        EXPECT_EQ(charge.late, verdict.late) << what;
        EXPECT_EQ(charge.hung, verdict.hung) << what;
        EXPECT_EQ(charge.flag, verdict.flag) << what;
        EXPECT_EQ(clock.used(), charge.charged) << what;
    }
}

TEST(SeatClockTest, ATurnsBudget) {
    const ClockConfig strict{.budget = 100ms, .hard_limit = 40ms};
    check({
        {"in time", turn_of_100ms, Ends::answered, {.wall = 30ms, .cpu = {}}, {.charged = 30ms}},
        {"to the last",
         turn_of_100ms,
         Ends::answered,
         {.wall = 100ms, .cpu = {}},
         {.charged = 100ms}},
        {"a nanosecond over",
         turn_of_100ms,
         Ends::answered,
         {.wall = 100ms + 1ns, .cpu = {}},
         {.charged = 100ms + 1ns, .late = true}},
        {"no answer",
         turn_of_100ms,
         Ends::expired,
         {.wall = 100ms, .cpu = {}},
         {.charged = 100ms, .late = true}},
        {"the hard limit first, in time",
         strict,
         Ends::answered,
         {.wall = 40ms, .cpu = {}},
         {.charged = 40ms}},
        {"the hard limit first, late",
         strict,
         Ends::answered,
         {.wall = 41ms, .cpu = {}},
         {.charged = 41ms, .late = true}},
    });
}

TEST(SeatClockTest, WithoutABudgetOnlyTheHardLimitCounts) {
    const ClockConfig told{.kind = ClockKind::none, .budget = 50ms, .hard_limit = 1s};
    check({
        {"over what is told", told, Ends::answered, {.wall = 900ms, .cpu = {}}, {.charged = 900ms}},
        {"over the hard limit",
         told,
         Ends::answered,
         {.wall = 1001ms, .cpu = {}},
         {.charged = 1001ms, .late = true}},
        {"no answer", told, Ends::expired, {.wall = 1s, .cpu = {}}, {.charged = 1s, .late = true}},
        {"allowance is not bounded by what is told",
         told,
         Ends::answered,
         {.wall = 300ms, .round_trip = 200ms, .cpu = {}},
         {.charged = 100ms, .allowed = 200ms}},
    });
    EXPECT_EQ(SeatClock(told).budget(), 50ms);
    EXPECT_EQ(SeatClock({.kind = ClockKind::none}).wait_limit(0ms), hard_limit_default);
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
         turn_of_100ms,
         Ends::answered,
         {.wall = 115ms, .round_trip = 20ms, .cpu = {}},
         {.charged = 95ms, .allowed = 20ms}},
        {"not beyond it",
         turn_of_100ms,
         Ends::answered,
         {.wall = 121ms, .round_trip = 20ms, .cpu = {}},
         {.charged = 101ms, .allowed = 20ms, .late = true}},
        {"not more than was spent",
         turn_of_100ms,
         Ends::answered,
         {.wall = 3ms, .round_trip = 20ms, .cpu = {}},
         {.allowed = 3ms}},
        {"not more than its limit",
         second,
         Ends::answered,
         {.wall = 900ms, .round_trip = 400ms, .cpu = {}},
         {.charged = 650ms, .allowed = 250ms}},
        {"not more than the limit that was set",
         small,
         Ends::answered,
         {.wall = 50ms, .round_trip = 20ms, .cpu = {}},
         {.charged = 45ms, .allowed = 5ms}},
        {"not more than the budget",
         short_turn,
         Ends::answered,
         {.wall = 100ms, .round_trip = 50ms, .cpu = {}},
         {.charged = 90ms, .allowed = 10ms, .late = true}},
        {"switched off",
         off,
         Ends::answered,
         {.wall = 101ms, .round_trip = 20ms, .cpu = {}},
         {.charged = 101ms, .late = true}},
        {"none of processor time",
         by_cpu,
         Ends::answered,
         {.wall = 200ms, .round_trip = 20ms, .cpu = 60ms},
         {.charged = 60ms}},
        {"a path of unknown length",
         turn_of_100ms,
         Ends::answered,
         {.wall = 60ms, .cpu = {}},
         {.charged = 60ms}},
    });
}

TEST(SeatClockTest, ProcessorTimeAndItsBackstop) {
    const ClockConfig config{.measure = Measure::cpu, .budget = 50ms};
    check({
        {"a long wait, little work",
         config,
         Ends::answered,
         {.wall = 900ms, .cpu = 40ms},
         {.charged = 40ms}},
        {"too much work",
         config,
         Ends::answered,
         {.wall = 60ms, .cpu = 51ms},
         {.charged = 51ms, .late = true}},
        {"asleep beyond the backstop",
         config,
         Ends::answered,
         {.wall = 1001ms, .cpu = 1ms},
         {.charged = 1ms, .late = true}},
        {"the path is no sleep",
         config,
         Ends::answered,
         {.wall = 1005ms, .round_trip = 10ms, .cpu = 1ms},
         {.charged = 1ms}},
        {"no answer",
         config,
         Ends::expired,
         {.wall = 1s, .cpu = 1ms},
         {.charged = 1ms, .late = true}},
        {"not measured: wall time",
         config,
         Ends::answered,
         {.wall = 40ms, .cpu = {}},
         {.charged = 40ms}},
    });
    EXPECT_EQ(SeatClock(config).wait_limit(0ms), 1s);
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
        {turn_of_100ms, 900ms, 200ms},
        {off, 20ms, 100ms},
        {{.budget = 1s}, 900ms, 1250ms},
        {{.budget = 1s, .hard_limit = 300ms}, 10ms, 310ms},
        {{.kind = ClockKind::game, .budget = 10s, .hard_limit = 2s}, 0ms, 2s},
        {{.kind = ClockKind::game, .budget = 1s, .hard_limit = 2s}, 0ms, 1s},
        {{.kind = ClockKind::none, .budget = 50ms, .hard_limit = 1s}, 20ms, 1020ms},
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(SeatClock(rows[i].config).wait_limit(rows[i].round_trip), rows[i].limit)
            << "row " << i;
    }
}

TEST(SeatClockTest, AGamesTimeRunsDownAndFlags) {
    SeatClock clock({.kind = ClockKind::game, .budget = 10s, .increment = 100ms});
    EXPECT_EQ(clock.budget(), 10s);
    EXPECT_FALSE(clock.answered({.wall = 3s, .cpu = {}}).flag);
    EXPECT_EQ(clock.remaining(), 7100ms);
    EXPECT_EQ(clock.budget(), 7100ms);
    const auto to_the_last = clock.answered({.wall = 7100ms, .cpu = {}});
    EXPECT_FALSE(to_the_last.flag || to_the_last.late);
    EXPECT_EQ(clock.remaining(), 100ms);
    EXPECT_TRUE(clock.answered({.wall = 101ms, .cpu = {}}).flag);
    EXPECT_EQ(clock.used(), 10201ms);
    EXPECT_GE(clock.budget(), Duration::zero());
}

TEST(SeatClockTest, AGamesTimeUsedToTheLastWithoutAnAnswer) {
    SeatClock clock({.kind = ClockKind::game, .budget = 1s});
    const auto charge = clock.expired({.wall = clock.wait_limit(0ms), .cpu = {}});
    EXPECT_TRUE(charge.flag);
    EXPECT_EQ(charge.charged, 1s);
    EXPECT_EQ(clock.budget(), Duration::zero());
}

TEST(SeatClockTest, ATurnsHardLimitInAGamesTimeCostsTheMoveOnly) {
    const ClockConfig config{.kind = ClockKind::game, .budget = 10s, .hard_limit = 2s};
    check({
        {"late, not lost",
         config,
         Ends::answered,
         {.wall = 3s, .cpu = {}},
         {.charged = 3s, .late = true}},
        {"no answer",
         config,
         Ends::expired,
         {.wall = 2s, .cpu = {}},
         {.charged = 2s, .late = true}},
    });
    SeatClock clock(config);
    clock.expired({.wall = 2s, .cpu = {}});
    EXPECT_EQ(clock.remaining(), 8s);
}

TEST(SeatClockTest, LatenessIsSummedUntilHung) {
    SeatClock clock({.budget = 1s, .waits_for_late = true, .hung_after = 3s});
    EXPECT_EQ(clock.hung_limit(0ms), 4s);
    EXPECT_EQ(clock.hung_limit(100ms), 4100ms);
    const auto first = clock.answered({.wall = 2500ms, .cpu = {}});
    EXPECT_TRUE(first.late);
    EXPECT_FALSE(first.hung);
    EXPECT_EQ(clock.hung_limit(0ms), 2500ms);
    EXPECT_FALSE(clock.answered({.wall = 900ms, .cpu = {}}).late);
    EXPECT_EQ(clock.hung_limit(0ms), 2500ms) << "a turn in time gives and takes nothing";
    auto other = clock;
    EXPECT_FALSE(other.answered({.wall = 2499ms, .cpu = {}}).hung);
    EXPECT_TRUE(clock.expired({.wall = clock.hung_limit(0ms), .cpu = {}}).hung);
}

TEST(SeatClockTest, WithoutWaitingNobodyHangs) {
    SeatClock clock({.budget = 1s, .hung_after = 1s});
    for (int turn = 0; turn < 5; ++turn) EXPECT_FALSE(clock.answered({.wall = 3s, .cpu = {}}).hung);
}

TEST(SeatClockTest, StallThreshold) {
    EXPECT_EQ(stall_threshold(1s), 50ms);
    EXPECT_EQ(stall_threshold(10ms), 2ms);
    EXPECT_EQ(stall_threshold(0ms), 2ms);
}

TEST(SeatClockTest, TheRefereesOwnStallIsTakenOff) {
    check({
        {"noise",
         turn_of_100ms,
         Ends::answered,
         {.wall = 103ms, .cpu = {}, .stalled = 5ms},
         {.charged = 103ms, .late = true}},
        {"above noise",
         turn_of_100ms,
         Ends::answered,
         {.wall = 110ms, .cpu = {}, .stalled = 20ms},
         {.charged = 90ms, .corrected = 20ms}},
        {"more than was spent",
         turn_of_100ms,
         Ends::answered,
         {.wall = 50ms, .cpu = {}, .stalled = 500ms},
         {.corrected = 50ms}},
        {"behind the allowance",
         turn_of_100ms,
         Ends::answered,
         {.wall = 50ms, .round_trip = 20ms, .cpu = {}, .stalled = 500ms},
         {.allowed = 20ms, .corrected = 30ms}},
        {"not enough",
         turn_of_100ms,
         Ends::answered,
         {.wall = 200ms, .cpu = {}, .stalled = 20ms},
         {.charged = 180ms, .corrected = 20ms, .late = true}},
    });
}

TEST(SeatClockTest, SuspectWhereTheStallMayBeTheCause) {
    struct Row {
        const char* what;
        Ends ends;
        Spent spent;
        bool suspect;
    };
    const std::vector<Row> rows{
        {"in time", Ends::answered, {.wall = 50ms, .cpu = {}, .stalled = 20ms}, false},
        {"late, no stall", Ends::answered, {.wall = 130ms, .cpu = {}}, false},
        {"late, a stall like noise",
         Ends::answered,
         {.wall = 130ms, .cpu = {}, .stalled = 5ms},
         false},
        {"late by less than another stall",
         Ends::answered,
         {.wall = 130ms, .cpu = {}, .stalled = 20ms},
         true},
        {"late by its own doing",
         Ends::answered,
         {.wall = 200ms, .cpu = {}, .stalled = 20ms},
         false},
        {"no answer, no stall", Ends::expired, {.wall = 100ms, .cpu = {}}, false},
        {"no answer, a stall", Ends::expired, {.wall = 100ms, .cpu = {}, .stalled = 20ms}, true},
    };
    for (const auto& [what, ends, spent, suspect] : rows) {
        SeatClock clock(turn_of_100ms);
        const auto charge = ends == Ends::answered ? clock.answered(spent) : clock.expired(spent);
        EXPECT_EQ(charge.suspect, suspect) << what;
    }
}

// The same numbers on every machine.
class Numbers {
 public:
    Duration up_to(Duration most) {
        state_ += 0x9e3779b97f4a7c15ULL;
        auto z = state_;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
        return Duration(static_cast<Duration::rep>((z ^ (z >> 31U)) %
                                                   static_cast<std::uint64_t>(most.count() + 1)));
    }

 private:
    std::uint64_t state_ = 1;
};

const std::vector<ClockConfig> all_sorts{
    turn_of_100ms,
    {.budget = 100ms, .hard_limit = 30ms},
    {.budget = 50ms, .waits_for_late = true, .hung_after = 500ms},
    {.kind = ClockKind::game, .budget = 2s, .increment = 10ms, .hard_limit = 150ms},
    {.kind = ClockKind::none, .hard_limit = 100ms},
    {.measure = Measure::cpu, .budget = 20ms, .hard_limit = 100ms},
    {.budget = 100ms, .allowance = false},
};

TEST(SeatClockTest, WallTimeIsChargedAllowedOrCorrectedAndNothingIsLost) {
    Numbers numbers;
    for (const auto& config : all_sorts) {
        if (config.measure == Measure::cpu) continue;
        SeatClock clock(config);
        Duration sum{};
        for (int turn = 0; turn < 2000; ++turn) {
            const Spent spent{.wall = numbers.up_to(200ms),
                              .round_trip = numbers.up_to(40ms),
                              .cpu = {},
                              .stalled = numbers.up_to(30ms)};
            const auto charge = turn % 3 == 0 ? clock.expired(spent) : clock.answered(spent);
            ASSERT_GE(charge.charged, Duration::zero());
            ASSERT_GE(charge.allowed, Duration::zero());
            ASSERT_GE(charge.corrected, Duration::zero());
            ASSERT_EQ(charge.charged + charge.allowed + charge.corrected, spent.wall);
            ASSERT_GE(clock.budget(), Duration::zero());
            sum += charge.charged;
        }
        EXPECT_EQ(clock.used(), sum);
    }
}

TEST(SeatClockTest, NoAnswerAfterTheWaitLimitIsInTime) {
    Numbers numbers;
    for (const auto& config : all_sorts) {
        for (int i = 0; i < 500; ++i) {
            SeatClock clock(config);
            clock.answered({.wall = numbers.up_to(30ms), .round_trip = 0ms, .cpu = 1ms});
            const auto round_trip = numbers.up_to(300ms);
            const auto limit = clock.wait_limit(round_trip);
            const auto charge =
                clock.answered({.wall = limit + 1ns, .round_trip = round_trip, .cpu = 0ms});
            ASSERT_TRUE(charge.late || charge.flag)
                << name_of(config.kind) << " " << round_trip.count();
        }
    }
}

}  // namespace
}  // namespace referee::clock
