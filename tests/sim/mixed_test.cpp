#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "tests/sim/mixed.h"
#include "tests/sim/simulation.h"

namespace tests::sim {
namespace {

constexpr std::uint64_t seed_of_first_mixture = 500'001;
constexpr std::uint64_t mixed_runs_least = 40;
// Three for each twenty runs that are asked for.
constexpr std::uint64_t mixed_runs_of = 3;
constexpr std::uint64_t mixed_runs_in = 20;

std::uint64_t mixed_runs() {
    const char* text = std::getenv("SIM_RUNS");
    const auto all = text == nullptr ? SIM_RUNS_DEFAULT : std::strtoull(text, nullptr, 10);
    return std::max<std::uint64_t>(mixed_runs_least, all * mixed_runs_of / mixed_runs_in);
}

std::uint64_t first_mixture() {
    const char* text = std::getenv("SIM_MIXED_FIRST");
    return text == nullptr ? seed_of_first_mixture : std::strtoull(text, nullptr, 10);
}

// Orders, registrations, dead bots, ladders, reloads and cuts meet in one run.
// SIM_MIXED_SEED: only that one. SIM_MIXED_FIRST: as many as always, from that one on.
TEST(Simulation, reloads_and_cuts_meet_in_one_run) {
    const char* one = std::getenv("SIM_MIXED_SEED");
    const auto first = one == nullptr ? first_mixture() : std::strtoull(one, nullptr, 10);
    const auto last = one == nullptr ? first + mixed_runs() : first + 1;
    RunReport sum;
    for (auto seed = first; seed < last && !::testing::Test::HasFailure(); ++seed) {
        const auto report = Simulation(draw_mixed(seed), seed).run();
        for (const auto& complaint : report.complaints)
            ADD_FAILURE() << "SIM_MIXED_SEED=" << seed << ": " << complaint;
        sum.cuts += report.cuts;
        sum.reloads += report.reloads;
        sum.refused += report.refused;
        sum.orders += report.orders;
        sum.repeated += report.repeated;
        sum.registered += report.registered;
        sum.tournaments += report.tournaments;
        sum.withdrawn += report.withdrawn;
        sum.interrupted += report.interrupted;
        sum.games += report.games;
    }
    std::cout << "seeds " << first << " to " << last - 1 << ": " << sum.cuts << " cuts, "
              << sum.reloads << " configs taken, " << sum.refused << " refused, " << sum.orders
              << " orders taken, " << sum.repeated << " given again, " << sum.registered
              << " bots registered, " << sum.withdrawn << " withdrawn, " << sum.tournaments
              << " tournaments, " << sum.games << " games, " << sum.interrupted << " interrupted\n";
    if (one != nullptr || ::testing::Test::HasFailure()) return;
    EXPECT_GT(sum.cuts, (last - first) / 2);
    EXPECT_GT(sum.reloads, 0U);
    EXPECT_GT(sum.refused, 0U);
    EXPECT_GT(sum.repeated, 0U);
    EXPECT_GT(sum.registered, 0U);
    EXPECT_GT(sum.withdrawn, 0U);
    EXPECT_GT(sum.interrupted, 0U);
    EXPECT_GT(sum.tournaments, last - first);
}

}  // namespace
}  // namespace tests::sim
