#include <gtest/gtest.h>

#include <iostream>

#include "referee/limits.h"
#include "tests/sim/timing/runs.h"
#include "tests/sim/timing/timed_room.h"

// Lines of several games on a connection, and pings behind moves, lie unread until the loop comes
// round. The simulator knows when each came.

namespace tests::sim::timing {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t games_max = 12;
constexpr std::int64_t turns_of_joined = 12;
// Reading a line takes some calls, and an instant in a call lies between two looks at the clock.
constexpr Duration slow_call = 20us;

struct Sum {
    std::size_t turns = 0;
    std::size_t in_doubt = 0;
    std::size_t late = 0;
    std::size_t truly_late = 0;
    std::size_t passed = 0;          // of those
    Duration passed_by{};            // at most
    std::size_t passed_in_calm = 0;  // while the loop did nothing else
};

// The way is short and steady, so only the moments of arrival are in doubt.
void check_against_truth(const Judged& verdict, bool calm, Sum& sum) {
    const auto& truth = verdict.truth;
    const auto& charge = verdict.charge;
    ++sum.turns;
    sum.late += charge.late ? 1 : 0;
    if (truth.arrived == Instant{}) {
        ++sum.truly_late;
        EXPECT_TRUE(charge.late) << describe(verdict);
        return;
    }
    const auto over = truth.wall() - truth.least_measured - verdict.budget;
    sum.in_doubt += charge.doubted > Duration::zero() ? 1 : 0;
    if (over <= Duration::zero()) {
        EXPECT_FALSE(charge.late) << describe(verdict);
        EXPECT_TRUE(verdict.answered) << describe(verdict);
    } else if (charge.late) {
        ++sum.truly_late;
    } else {
        ++sum.truly_late;
        ++sum.passed;
        sum.passed_in_calm += calm ? 1 : 0;
        sum.passed_by = std::max(sum.passed_by, over);
        // Nobody looked between the deadline and the arrival: otherwise it can't pass.
        const auto deadline = verdict.handed().latest + verdict.budget + truth.least_measured;
        EXPECT_FALSE(verdict.line->was_emptied(deadline + slow_call, truth.arrived))
            << describe(verdict);
    }
    // A silent bot is charged up to the look at its deadline.
    const auto judged = charge.late ? verdict.told : truth.read;
    EXPECT_LE(charge.charged, judged - verdict.handed().earliest) << describe(verdict);
    if (charge.late) return;
    const auto least = std::min(verdict.budget, truth.wall() - charge.allowed);
    EXPECT_GE(charge.charged, least) << describe(verdict);
}

void run(std::uint64_t seed, Sum& sum) {
    TimedRoom room(seed);
    auto& random = room.random();
    KernelHabits kernel{.joins = random.below(100), .call_most = slow_call};
    // The loop does other things for so long now and then, in the midst of a call.
    kernel.put_aside = random.chance(50) ? 0 : 3;
    kernel.aside_least = 1ms;
    kernel.aside_most = 8ms;
    LineTraits line{.way = {.round_trip = 40us}, .address = "127.0.0.1", .kernel = kernel};
    line.from_this_machine = true;
    Answering answering{.thinks_least = 900, .thinks_most = 1100};
    answering.pings_behind = random.chance(70);
    answering.ping_after = room.up_to(300us);
    if (random.chance(30)) answering.pieces = 1 + random.below(4);
    for (const auto* name : {"ada", "bob"}) room.add(name, line, answering);
    referee::clock::ClockConfig clock{.budget = 50ms};
    const auto games = 1 + random.below(games_max);
    for (std::size_t i = 0; i < games; ++i) room.open({"ada", "bob"}, clock, turns_of_joined);
    EXPECT_TRUE(room.play(1min));
    EXPECT_TRUE(room.annulled().empty());
    for (const auto& verdict : room.verdicts())
        check_against_truth(verdict, kernel.put_aside == 0, sum);
}

TEST(JoinedLines, nobody_is_late_for_what_lay_unread) {
    Sum sum;
    for_each_seed([&](std::uint64_t seed) { run(seed, sum); });
    std::cout << sum.turns << " turns, " << sum.in_doubt << " in doubt; of " << sum.truly_late
              << " late ones " << sum.passed << " passed, by " << referee::in_us(sum.passed_by)
              << " us at most; " << sum.passed_in_calm << " while the loop was calm\n";
    EXPECT_GT(sum.late, sum.turns / 10);
    EXPECT_GT(sum.in_doubt, 0U);
    // The loop's own delay is all that a late line can gain by.
    EXPECT_LE(sum.passed_in_calm * 100, sum.truly_late);
}

// The game waits for the late answer, and a bot that is late on purpose joins its lines: nobody can
// tell when the first of them came. Still its lateness sums up to the limit.
TEST(JoinedLines, lateness_is_counted_where_late_lines_are_joined) {
    std::size_t games = 0;
    for_each_seed([&](std::uint64_t seed) {
        TimedRoom room(seed);
        auto& random = room.random();
        const LineTraits line{.way = {.round_trip = 300us},
                              .kernel = {.joins = random.below(101), .call_most = slow_call}};
        Answering late{.thinks_least = 1500, .thinks_most = 6000};
        late.pings_behind = true;
        late.ping_after = room.up_to(20us);
        room.add("ada", line, {});
        room.add("bob", line, late);
        constexpr std::int64_t turns_most = 200;
        const referee::clock::ClockConfig clock{
            .budget = 100ms, .waits_for_late = true, .hung_after = 2s};
        auto& table = room.open({"ada", "bob"}, clock, turns_most);
        EXPECT_TRUE(room.play(10min));
        Duration lateness{};
        std::int64_t turns_late = 0;
        for (const auto& verdict : room.verdicts()) {
            if (std::get<2>(verdict.key) != "bob") continue;
            ++turns_late;
            lateness += verdict.truth.thought - verdict.budget;
        }
        ++games;
        EXPECT_LT(table.play().turns_played(), turns_most);
        // In each turn it can hide what may lie between two looks, and no more.
        const auto hidden = turns_late * (referee::limits::late_look_every + 1ms);
        EXPECT_LE(lateness, clock.hung_after + hidden + 6 * clock.budget);
        EXPECT_EQ(table.play().faults().back().code, referee::FaultCode::hung);
    });
    std::cout << games << " games, each ended\n";
}

}  // namespace
}  // namespace tests::sim::timing
