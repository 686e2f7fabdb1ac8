#include <gtest/gtest.h>

#include "referee/game/play/play.h"
#include "tests/sim/timing/bounds.h"

// Lines of several games on a connection, and pings behind moves, lie unread until the loop comes
// round. The simulator knows when each came.

namespace tests::sim::timing {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t games_max = 12;
constexpr std::int64_t turns_of_joined = 12;
// Reading a line takes some calls, and an instant in a call lies between two looks at the clock.
constexpr Duration slow_call = 20us;

void run(std::uint64_t seed, Moments& sum, Moments& calm) {
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
    if (random.chance(70)) answering.behind = ping_line;
    answering.behind_after = room.up_to(300us);
    if (random.chance(30)) answering.pieces = 1 + random.below(4);
    for (const auto* name : {"ada", "bob"}) room.add(name, line, answering);
    referee::clock::ClockConfig clock{.budget = 50ms};
    const auto games = 1 + random.below(games_max);
    for (std::size_t i = 0; i < games; ++i) room.open({"ada", "bob"}, clock, turns_of_joined);
    EXPECT_TRUE(room.play(1min));
    EXPECT_TRUE(room.annulled().empty());
    auto& counted = kernel.put_aside == 0 ? calm : sum;
    for (const auto& judged : room.verdicts()) check_moments(judged, slow_call, counted);
}

TEST(JoinedLines, nobody_is_late_for_what_lay_unread) {
    Moments sum;
    Moments calm;
    for_each_seed([&](std::uint64_t seed) { run(seed, sum, calm); }, runs_of_shares);
    for (const auto* all : {&sum, &calm}) {
        EXPECT_GT(all->truly_late, all->turns / 10);
    }
    EXPECT_GT(sum.in_doubt, 0U);
    // The loop's own delay is all that a late line can gain by.
    EXPECT_LE(calm.passed * 1000, calm.truly_late);
}

// The game waits for the late answer, and a bot that is late on purpose joins its lines: nobody can
// tell when the first of them came. Still its lateness sums up to the limit.
TEST(JoinedLines, lateness_is_counted_where_late_lines_are_joined) {
    for_each_seed([&](std::uint64_t seed) {
        TimedRoom room(seed);
        auto& random = room.random();
        const LineTraits line{.way = {.round_trip = 300us},
                              .kernel = {.joins = random.below(101), .call_most = slow_call}};
        Answering late{.thinks_least = 1500, .thinks_most = 6000};
        late.behind = ping_line;
        late.behind_after = room.up_to(20us);
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
        EXPECT_LT(table.play().turns_played(), turns_most);
        // In each turn it can hide what may lie between two looks, and no more.
        const auto hidden = turns_late * (referee::play::late_look_every + 1ms);
        const auto unknown = unknown_lines * jitter_counts(clock.budget);
        EXPECT_LE(lateness, clock.hung_after + hidden + unknown + 6 * clock.budget);
        EXPECT_EQ(table.play().faults().back().code, referee::FaultCode::hung);
    });
}

}  // namespace
}  // namespace tests::sim::timing
