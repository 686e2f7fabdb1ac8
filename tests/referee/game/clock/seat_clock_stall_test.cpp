#include "tests/referee/game/clock/cases.h"

namespace referee::clock {
namespace {

TEST(SeatClockStallTest, StallThreshold) {
    EXPECT_EQ(stall_threshold(1s), 50ms);
    EXPECT_EQ(stall_threshold(10ms), 2ms);
    EXPECT_EQ(stall_threshold(0ms), 2ms);
}

TEST(SeatClockStallTest, TheRefereesOwnStallIsTakenOff) {
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
         {.wall = 50ms, .path = Path::exact(20ms), .cpu = {}, .stalled = 500ms},
         {.allowed = 20ms, .corrected = 30ms}},
        {"not enough",
         turn_of_100ms,
         Ends::answered,
         {.wall = 200ms, .cpu = {}, .stalled = 20ms},
         {.charged = 180ms, .corrected = 20ms, .late = true}},
    });
}

TEST(SeatClockStallTest, SuspectWhereTheStallMayBeTheCause) {
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
        {"no answer for all the grace",
         Ends::expired,
         {.wall = 140ms, .cpu = {}, .stalled = 20ms},
         false},
        {"in time once it is corrected",
         Ends::answered,
         {.wall = 110ms, .cpu = {}, .stalled = 20ms},
         false},
    };
    for (const auto& [what, ends, spent, suspect] : rows) {
        SeatClock clock(turn_of_100ms);
        const auto charge = ends == Ends::answered ? clock.answered(spent) : clock.expired(spent);
        EXPECT_EQ(charge.suspect, suspect) << what;
    }
}

TEST(SeatClockStallTest, AStallIsTakenOffTheBackstopAndNotOffProcessorTime) {
    const ClockConfig by_cpu{.measure = Measure::cpu,
                             .budget = 50ms};  // and at most a second of wall time
    struct Row {
        const char* what;
        Spent spent;
        Duration charged;
        bool late, hard, suspect;
    };
    const std::vector<Row> rows{
        {"burned too much",
         {.wall = 100ms, .cpu = 60ms, .stalled = 90ms},
         60ms,
         true,
         false,
         false},
        {"burned too much and slept too long",
         {.wall = 1100ms, .cpu = 60ms, .stalled = 90ms},
         60ms,
         true,
         false,
         false},
        {"slept as long as the referee",
         {.wall = 1090ms, .cpu = 10ms, .stalled = 90ms},
         10ms,
         false,
         false,
         false},
        {"slept a little longer",
         {.wall = 1100ms, .cpu = 10ms, .stalled = 90ms},
         10ms,
         true,
         true,
         true},
        {"slept far longer",
         {.wall = 1200ms, .cpu = 10ms, .stalled = 90ms},
         10ms,
         true,
         true,
         false},
    };
    for (const auto& [what, spent, charged, late, hard, suspect] : rows) {
        const auto charge = SeatClock(by_cpu).answered(spent);
        EXPECT_EQ(charge.charged, charged) << what;
        EXPECT_EQ(charge.corrected, Duration::zero()) << what;
        EXPECT_EQ(charge.late, late) << what;
        EXPECT_EQ(charge.hard, hard) << what;
        EXPECT_EQ(charge.suspect, suspect) << what;
    }
}

TEST(SeatClockStallTest, GraceIsTwiceAStallThatCounts) {
    const SeatClock clock(turn_of_100ms);
    EXPECT_EQ(clock.grace(0ms, 0ms), 0ms);
    EXPECT_EQ(clock.grace(5ms, 0ms), 0ms) << "noise";
    EXPECT_EQ(clock.grace(6ms, 0ms), 12ms);
    EXPECT_EQ(clock.grace(6ms, 1ms), 13ms) << "a wait for a core is known exactly";
    EXPECT_EQ(SeatClock({.kind = ClockKind::none, .hard_limit = 1s}).grace(50ms, 0ms), 0ms)
        << "of the hard limit";
}

TEST(SeatClockStallTest, HungIsWhatNoStallExcuses) {
    SeatClock clock({.budget = 1s, .waits_for_late = true, .hung_after = 3s});
    EXPECT_FALSE(clock.answered({.wall = 4500ms, .cpu = {}, .stalled = 500ms}).hung);
    EXPECT_EQ(clock.hung_limit(Path::exact(0ms)), 1500ms) << "2.5 s of lateness";
    const auto charge = clock.answered({.wall = 1500ms, .cpu = {}});
    EXPECT_TRUE(charge.hung);
    EXPECT_FALSE(charge.suspect);
}

TEST(SeatClockStallTest, AsleepUnderProcessorTimeIsHungInTheEnd) {
    SeatClock clock(
        {.measure = Measure::cpu, .budget = 50ms, .waits_for_late = true, .hung_after = 3s});
    EXPECT_FALSE(clock.answered({.wall = 3s, .cpu = 1ms}).hung);
    EXPECT_EQ(clock.hung_limit(Path::exact(0ms)), 2s) << "two of three seconds are gone";
    EXPECT_TRUE(clock.expired({.wall = 2s, .cpu = 1ms}).hung);
    SeatClock burner({.measure = Measure::cpu,
                      .budget = 50ms,
                      .hard_limit = 10s,
                      .waits_for_late = true,
                      .hung_after = 3s});
    EXPECT_FALSE(burner.answered({.wall = 2s, .cpu = 2s}).hung);
    EXPECT_TRUE(burner.answered({.wall = 2s, .cpu = 1200ms}).hung);
}

TEST(SeatClockStallTest, WallTimeIsChargedAllowedOrCorrectedAndNothingIsLost) {
    Numbers numbers;
    for (const auto& config : all_sorts) {
        if (config.measure == Measure::cpu) continue;
        SeatClock clock(config);
        Duration sum{};
        for (int turn = 0; turn < 2000; ++turn) {
            const Spent spent{.wall = numbers.up_to(200ms),
                              .path = Path::exact(numbers.up_to(40ms)),
                              .cpu = {},
                              .stalled = numbers.up_to(30ms)};
            const auto charge = turn % 3 == 0 ? clock.expired(spent) : clock.answered(spent);
            ASSERT_GE(charge.charged, Duration::zero());
            ASSERT_GE(charge.allowed, Duration::zero());
            ASSERT_GE(charge.corrected, Duration::zero());
            ASSERT_EQ(charge.charged + charge.allowed + charge.corrected + charge.doubted,
                      spent.wall);
            ASSERT_GE(clock.budget(), Duration::zero());
            sum += charge.charged;
        }
        EXPECT_EQ(clock.used(), sum);
    }
}

TEST(SeatClockStallTest, SuspectIsLateAndNeverCertain) {
    Numbers numbers;
    for (const auto& config : all_sorts) {
        for (int i = 0; i < 2000; ++i) {
            const Spent spent{.wall = numbers.up_to(300ms),
                              .path = Path::exact(numbers.up_to(40ms)),
                              .cpu = numbers.up_to(40ms),
                              .stalled = numbers.up_to(60ms)};
            const bool answered = i % 3 != 0;
            SeatClock clock(config);
            const auto charge = answered ? clock.answered(spent) : clock.expired(spent);
            if (!charge.suspect) continue;
            ASSERT_TRUE(charge.late || charge.flag);
            ASSERT_FALSE(charge.hung);
            // If the stall were taken off a second time, the answer would be in time.
            auto excused = spent;
            excused.stalled = Duration::zero();
            excused.wall = std::max<Duration>(spent.wall - 2 * spent.stalled, 0ms);
            const auto again = SeatClock(config).answered(excused);
            ASSERT_FALSE(again.late || again.flag);
        }
    }
}

TEST(SeatClockStallTest, NoAnswerAfterTheWaitLimitIsInTime) {
    Numbers numbers;
    for (const auto& config : all_sorts) {
        for (int i = 0; i < 500; ++i) {
            SeatClock clock(config);
            clock.answered({.wall = numbers.up_to(30ms), .path = Path::exact(0ms), .cpu = 1ms});
            const auto round_trip = numbers.up_to(300ms);
            const auto limit = clock.wait_limit(Path::exact(round_trip));
            const auto charge =
                clock.answered({.wall = limit + 1ns, .path = Path::exact(round_trip), .cpu = 0ms});
            ASSERT_TRUE(charge.late || charge.flag)
                << name_of(config.kind) << " " << round_trip.count();
        }
    }
}

}  // namespace
}  // namespace referee::clock
