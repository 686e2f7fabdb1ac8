#include "tests/sim/reloads.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "tests/sim/simulation.h"

namespace tests::sim {
namespace {

constexpr std::uint64_t seed_of_first_reload = 400'001;
constexpr std::uint64_t reloaded_runs_least = 40;
constexpr std::uint64_t reloaded_runs_part = 10;  // of the runs of all other simulations together

std::uint64_t reloaded_runs() {
    const char* text = std::getenv("SIM_RUNS");
    const auto all = text == nullptr ? SIM_RUNS_DEFAULT : std::strtoull(text, nullptr, 10);
    return std::max<std::uint64_t>(reloaded_runs_least, all / reloaded_runs_part);
}

// SIM_RELOADS_SEED: only that one.
TEST(Simulation, a_config_that_is_read_again_takes_effect_or_changes_nothing) {
    const char* one = std::getenv("SIM_RELOADS_SEED");
    const auto first = one == nullptr ? seed_of_first_reload : std::strtoull(one, nullptr, 10);
    const auto last = one == nullptr ? first + reloaded_runs() : first + 1;
    RunReport sum;
    for (auto seed = first; seed < last && !::testing::Test::HasFailure(); ++seed) {
        const auto report = Simulation(draw_reload(seed), seed).run();
        for (const auto& complaint : report.complaints)
            ADD_FAILURE() << "SIM_RELOADS_SEED=" << seed << ": " << complaint;
        sum.reloads += report.reloads;
        sum.refused += report.refused;
        sum.tournaments += report.tournaments;
        sum.registered += report.registered;
        sum.games += report.games;
    }
    std::cout << "seeds " << first << " to " << last - 1 << ": " << sum.reloads
              << " configs taken, " << sum.refused << " refused, " << sum.tournaments
              << " tournaments, " << sum.games << " games, " << sum.registered
              << " bots registered\n";
    if (one != nullptr || ::testing::Test::HasFailure()) return;
    EXPECT_GT(sum.reloads, 0U);
    EXPECT_GT(sum.refused, 0U);
    EXPECT_GT(sum.registered, 0U);
    EXPECT_GT(sum.tournaments, last - first);
}

}  // namespace
}  // namespace tests::sim
