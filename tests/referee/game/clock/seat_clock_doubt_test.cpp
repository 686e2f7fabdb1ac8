// Times that are known between two bounds only, paths of no certain length, waits for a core.

#include <algorithm>

#include "referee/game/clock/path.h"
#include "tests/referee/game/clock/cases.h"

namespace referee::clock {
namespace {

TEST(SeatClockDoubtTest, OtherClocksInDoubt) {
    const ClockConfig none{.kind = ClockKind::none, .budget = 50ms, .hard_limit = 100ms};
    const ClockConfig waits{.budget = 100ms, .waits_for_late = true, .hung_after = 50ms};
    const ClockConfig by_cpu{.measure = Measure::cpu, .budget = 50ms, .hard_limit = 100ms};
    check({
        {"no budget",
         {.wall = 105ms, .path = {0ms, 5ms}},
         {.charged = 100ms, .doubted = 5ms},
         none},
        {"hung by what no reading excuses",
         {.wall = 169ms, .doubt = 20ms},
         {.charged = 169ms, .late = true},
         waits},
        {"hung",
         {.wall = 170ms, .doubt = 20ms},
         {.charged = 170ms, .late = true, .hung = true},
         waits},
        {"processor time is never in doubt",
         {.wall = 90ms, .doubt = 90ms, .path = {0ms, 90ms}, .cpu = 51ms},
         {.charged = 51ms, .late = true},
         by_cpu},
        {"wall time in its place is charged with the way, which the hard limit is without",
         {.wall = 105ms, .path = Path::exact(10ms)},
         {.charged = 105ms},
         {.kind = ClockKind::none, .measure = Measure::cpu, .hard_limit = 100ms}},
        {"its hard limit is",
         {.wall = 115ms, .doubt = 5ms, .path = {0ms, 10ms}, .cpu = 20ms},
         {.charged = 20ms},
         by_cpu},
        {"to its end",
         {.wall = 116ms, .doubt = 5ms, .path = {0ms, 10ms}, .cpu = 20ms},
         {.charged = 20ms, .late = true},
         by_cpu},
    });
}

// Where all of it is used up, nobody can play on by the jitter of its way.
TEST(SeatClockDoubtTest, JitterCountsForATenthOfWhatIsLeftOfAGamesTime) {
    SeatClock clock({.kind = ClockKind::game, .budget = 1s});
    clock.answered({.wall = 900ms});
    EXPECT_EQ(clock.wait_limit({5ms, 30ms}), 100ms + 5ms + 10ms);
    EXPECT_FALSE(clock.answered({.wall = 115ms, .path = {5ms, 30ms}}).flag);
    EXPECT_EQ(clock.remaining(), 0ms);
    EXPECT_TRUE(clock.answered({.wall = 6ms, .path = {5ms, 30ms}}).flag);
}

TEST(SeatClockDoubtTest, AWaitForACoreIsNoThought) {
    check({
        {"taken off", {.wall = 131ms, .waited = 96ms}, {.charged = 35ms, .waited = 96ms}},
        {"not more than was spent",
         {.wall = 50ms, .path = Path::exact(20ms), .waited = 40ms},
         {.allowed = 20ms, .waited = 30ms}},
        {"not enough",
         {.wall = 131ms, .waited = 30ms},
         {.charged = 101ms, .waited = 30ms, .late = true}},
        {"under cpu not off the hard limit, which is wall time",
         {.wall = 100ms + 1ns, .cpu = 20ms, .waited = 90ms},
         {.charged = 20ms, .late = true},
         {.measure = Measure::cpu, .budget = 50ms, .hard_limit = 100ms}},
        {"which it may use up",
         {.wall = 100ms, .cpu = 20ms, .waited = 20ms},
         {.charged = 20ms},
         {.measure = Measure::cpu, .budget = 50ms, .hard_limit = 100ms}},
    });
    SeatClock starved(turn_of_100ms);
    EXPECT_TRUE(starved.expired({.wall = 200ms, .waited = 190ms}).suspect)
        << "the wait for it had to end, but it never got a core";
}

// What any reading makes of a turn, without the clock's own arithmetic: each moment of sending with
// each of arrival and each length of the way.
struct Readings {
    bool all_over_budget = true;
    bool all_over_hard = true;
    bool all_over = true;
};

struct Turn {
    Stamp sent;
    Stamp at;
    Path path;
    Duration waited;
};

Readings every_reading(const ClockConfig& config, const Turn& turn) {
    Readings all;
    const bool no_budget = config.kind == ClockKind::none;
    const auto limit = no_budget ? config.hard_limit : std::min(config.hard_limit, config.budget);
    const auto jitter = config.jitter_max.value_or(limit / jitter_divisor);
    const auto most = std::min(turn.path.most, turn.path.least + jitter);
    for (auto sent = turn.sent.earliest; sent <= turn.sent.latest; sent += 1ns) {
        for (auto at = turn.at.earliest; at <= turn.at.latest; at += 1ns) {
            for (auto way = turn.path.least; way <= most; way += 1ns) {
                const auto allowed = config.allowance ? std::min(way, config.allowance_max) : 0ns;
                const auto thought = at - sent - allowed - turn.waited;
                const bool budget = !no_budget && thought > config.budget;
                const bool hard = thought > config.hard_limit;
                all.all_over_budget = all.all_over_budget && budget;
                all.all_over_hard = all.all_over_hard && hard;
                all.all_over = all.all_over && (budget || hard);
            }
        }
    }
    return all;
}

Spent spent_of(const Turn& turn) {
    return {.wall = turn.at.latest - turn.sent.earliest,
            .doubt = turn.at.width() + turn.sent.width(),
            .path = turn.path,
            .waited = turn.waited};
}

Turn some_turn(Numbers& numbers) {
    const auto sent = Instant{} + 1us + numbers.up_to(10ns);
    const auto at = sent + numbers.up_to(60ns);
    const auto least = numbers.up_to(12ns);
    return {.sent = {sent, sent + numbers.up_to(6ns)},
            .at = {at, at + numbers.up_to(6ns)},
            .path = {least, least + numbers.up_to(6ns)},
            .waited = numbers.up_to(4ns)};
}

const std::vector<ClockConfig> small_sorts{
    {.budget = 30ns},
    {.budget = 30ns, .hard_limit = 20ns},
    {.budget = 30ns, .waits_for_late = true, .hung_after = 1s},
    {.kind = ClockKind::game, .budget = 40ns, .hard_limit = 25ns},
    {.kind = ClockKind::game, .budget = 25ns, .hard_limit = 40ns},
    {.kind = ClockKind::none, .hard_limit = 30ns},
    {.budget = 30ns, .allowance = false},
    {.budget = 30ns, .allowance_max = 8ns},
    {.budget = 30ns, .jitter_max = 6ns},
};

TEST(SeatClockDoubtTest, TheFriendliestOfAllReadingsDecides) {
    Numbers numbers;
    int late = 0;
    int doubted = 0;
    for (const auto& sort : small_sorts) {
        const auto config = completed(sort);
        for (int i = 0; i < 1500; ++i) {
            const auto turn = some_turn(numbers);
            const auto all = every_reading(config, turn);
            const auto charge = SeatClock(config).answered(spent_of(turn));
            if (config.kind == ClockKind::game) {
                ASSERT_EQ(charge.flag, all.all_over_budget);
                ASSERT_EQ(charge.late, all.all_over_hard);
            } else {
                ASSERT_EQ(charge.late, all.all_over) << name_of(config.kind);
            }
            late += charge.late || charge.flag ? 1 : 0;
            doubted += charge.doubted > 0ns ? 1 : 0;
        }
    }
    EXPECT_GT(late, 500);
    EXPECT_GT(doubted, 100) << "both sides of the line were tried";
}

// To whole microseconds: what is booked as it is, the rest by one more at the most.
void expect_told(const Charge& charge) {
    const auto told = as_told(charge);
    ASSERT_EQ(
        told.charged_us + told.allowed_us + told.waited_us + told.corrected_us + told.doubted_us,
        told.wall_us);
    ASSERT_EQ(told.charged_us, in_us(charge.charged));
    ASSERT_EQ(told.wall_us, in_us(charge.wall));
    for (const auto& [part, exact] :
         {std::pair(told.allowed_us, charge.allowed), std::pair(told.waited_us, charge.waited),
          std::pair(told.corrected_us, charge.corrected),
          std::pair(told.doubted_us, charge.doubted)}) {
        ASSERT_GE(part, in_us(exact));
        ASSERT_LE(part, in_us(exact) + 1);
    }
}

TEST(SeatClockDoubtTest, WhatIsChargedAddsUpAndIsWithinTheLimitsWhereItIsInTime) {
    Numbers numbers;
    for (const auto& config : all_sorts) {
        if (config.measure == Measure::cpu) continue;
        SeatClock clock(config);
        Duration sum{};
        for (int i = 0; i < 2000; ++i) {
            const auto least = numbers.up_to(40ms);
            const Spent spent{.wall = numbers.up_to(200ms),
                              .doubt = numbers.up_to(40ms),
                              .path = {least, least + numbers.up_to(20ms)},
                              .stalled = numbers.up_to(30ms),
                              .waited = numbers.up_to(30ms)};
            const auto budget = clock.budget();
            const auto charge = i % 3 == 0 ? clock.expired(spent) : clock.answered(spent);
            ASSERT_EQ(
                charge.charged + charge.allowed + charge.waited + charge.corrected + charge.doubted,
                spent.wall);
            for (const auto part : {charge.charged, charge.allowed, charge.waited, charge.corrected,
                                    charge.doubted}) {
                ASSERT_GE(part, Duration::zero());
            }
            expect_told(charge);
            ASSERT_GE(clock.budget(), Duration::zero());
            sum += charge.charged;
            if (charge.late || charge.flag || config.kind == ClockKind::none) continue;
            ASSERT_LE(charge.charged, budget);
        }
        EXPECT_EQ(clock.used(), sum);
    }
}

TEST(SeatClockDoubtTest, ALineThatCameBeforeItsTurnLeftTookNoTime) {
    const auto charge = SeatClock(turn_of_100ms).answered({.wall = -1ms, .path = {1ms, 2ms}});
    EXPECT_EQ(charge.wall, 0ms);
    EXPECT_EQ(charge.charged, 0ms);
    EXPECT_EQ(charge.allowed, 0ms);
    EXPECT_FALSE(charge.late);
}

// At the deadline nothing had come. So the answer comes after it, and must be late whichever of the
// two is looked at first.
TEST(SeatClockDoubtTest, AnAnswerFaresTheSameWhetherItOrTheDeadlineIsLookedAtFirst) {
    Numbers numbers;
    for (const auto& config : all_sorts) {
        for (int i = 0; i < 2000; ++i) {
            const SeatClock clock(config);
            const Stamp sent{Instant{}, Instant{} + numbers.up_to(5ms)};
            const auto least = numbers.up_to(40ms);
            const Path path{least, least + numbers.up_to(20ms)};
            const auto stalled = numbers.up_to(10ms);
            const auto waited = numbers.up_to(10ms);
            const auto deadline =
                sent.latest + clock.wait_limit(path) + clock.grace(stalled, waited);
            const Stamp at{deadline + 1ns, deadline + 1ns + numbers.up_to(5ms)};
            const Spent spent{
                .wall = at.latest - sent.earliest,
                .doubt = at.width() + sent.width(),
                .path = path,
                .cpu = config.measure == Measure::cpu ? std::optional<Duration>(1ms) : std::nullopt,
                .stalled = stalled,
                .waited = waited};
            auto by_answer = clock;
            const auto charge = by_answer.answered(spent);
            ASSERT_TRUE(charge.late || charge.flag);
            ASSERT_FALSE(charge.suspect);
            const Spent silent{.wall = deadline - sent.earliest,
                               .doubt = sent.width(),
                               .path = path,
                               .cpu = spent.cpu,
                               .stalled = stalled,
                               .waited = waited};
            auto by_deadline = clock;
            const auto expired = by_deadline.expired(silent);
            ASSERT_TRUE(expired.late || expired.flag);
            ASSERT_FALSE(expired.suspect);
            ASSERT_EQ(expired.flag, charge.flag);
        }
    }
}

}  // namespace
}  // namespace referee::clock
