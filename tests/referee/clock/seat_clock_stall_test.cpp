#include "tests/referee/clock/cases.h"

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
         {.wall = 50ms, .round_trip = 20ms, .cpu = {}, .stalled = 500ms},
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

TEST(SeatClockStallTest, WallTimeIsChargedAllowedOrCorrectedAndNothingIsLost) {
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

TEST(SeatClockStallTest, NoAnswerAfterTheWaitLimitIsInTime) {
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
