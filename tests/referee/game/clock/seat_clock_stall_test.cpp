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
        {"noise", {.wall = 103ms, .stalled = 5ms}, {.charged = 103ms, .late = true}},
        {"above noise", {.wall = 110ms, .stalled = 20ms}, {.charged = 90ms, .corrected = 20ms}},
        {"more than was spent", {.wall = 50ms, .stalled = 500ms}, {.corrected = 50ms}},
        {"behind the allowance",
         {.wall = 50ms, .path = Path::exact(20ms), .stalled = 500ms},
         {.allowed = 20ms, .corrected = 30ms}},
        {"not enough",
         {.wall = 200ms, .stalled = 20ms},
         {.charged = 180ms, .corrected = 20ms, .late = true}},
    });
}

TEST(SeatClockStallTest, SuspectWhereTheStallMayBeTheCause) {
    struct Row {
        const char* what;
        Spent spent;
        bool suspect;
        Ends ends = Ends::answered;
    };
    const std::vector<Row> rows{
        {"in time", {.wall = 50ms, .stalled = 20ms}, false},
        {"late, no stall", {.wall = 130ms}, false},
        {"late, a stall like noise", {.wall = 130ms, .stalled = 5ms}, false},
        {"late by less than another stall", {.wall = 130ms, .stalled = 20ms}, true},
        {"late by its own doing", {.wall = 200ms, .stalled = 20ms}, false},
        {"no answer, no stall", {.wall = 100ms}, false, Ends::expired},
        {"no answer, a stall", {.wall = 100ms, .stalled = 20ms}, true, Ends::expired},
        {"no answer for all the grace", {.wall = 140ms, .stalled = 20ms}, false, Ends::expired},
        {"in time once it is corrected", {.wall = 110ms, .stalled = 20ms}, false},
    };
    for (const auto& [what, spent, suspect, ends] : rows) {
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
        Charge told{};
    };
    const std::vector<Row> rows{
        {"burned too much",
         {.wall = 100ms, .cpu = 60ms, .stalled = 90ms},
         {.charged = 60ms, .late = true}},
        {"burned too much and slept too long",
         {.wall = 1100ms, .cpu = 60ms, .stalled = 90ms},
         {.charged = 60ms, .late = true}},
        {"slept as long as the referee",
         {.wall = 1090ms, .cpu = 10ms, .stalled = 90ms},
         {.charged = 10ms}},
        {"slept a little longer",
         {.wall = 1100ms, .cpu = 10ms, .stalled = 90ms},
         {.charged = 10ms, .late = true, .hard = true, .suspect = true}},
        {"slept far longer",
         {.wall = 1200ms, .cpu = 10ms, .stalled = 90ms},
         {.charged = 10ms, .late = true, .hard = true}},
    };
    for (const auto& [what, spent, told] : rows) {
        const auto charge = SeatClock(by_cpu).answered(spent);
        EXPECT_EQ(charge.charged, told.charged) << what;
        EXPECT_EQ(charge.corrected, Duration::zero()) << what;
        EXPECT_EQ(charge.late, told.late) << what;
        EXPECT_EQ(charge.hard, told.hard) << what;
        EXPECT_EQ(charge.suspect, told.suspect) << what;
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
    EXPECT_FALSE(clock.answered({.wall = 4500ms, .stalled = 500ms}).hung);
    EXPECT_EQ(clock.hung_limit(Path::exact(0ms)), 1500ms) << "2.5 s of lateness";
    const auto charge = clock.answered({.wall = 1500ms});
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

}  // namespace
}  // namespace referee::clock
