#include "tests/sim/reloads.h"

#include <gtest/gtest.h>

#include <iostream>

#include "tests/sim/seeds.h"
#include "tests/sim/simulation.h"

namespace tests::sim {
namespace {

// SIM_RELOADS_SEED: only that one.
TEST(Simulation, a_config_that_is_read_again_takes_effect_or_changes_nothing) {
#ifdef REFEREE_SANITIZED
    GTEST_SKIP() << "fewer than forty runs say nothing, and so many take minutes under sanitizers";
#endif
    const auto seeds = seeds_of({.alone = "SIM_RELOADS_SEED", .first = 400'001, .least = 40});
    RunReport sum;
    for (auto seed = seeds.first; seed < seeds.end && !::testing::Test::HasFailure(); ++seed) {
        const auto report = Simulation(draw_reload(seed), seed).run();
        for (const auto& complaint : report.complaints)
            ADD_FAILURE() << "SIM_RELOADS_SEED=" << seed << ": " << complaint;
        sum.reloads += report.reloads;
        sum.refused += report.refused;
        sum.tournaments += report.tournaments;
        sum.registered += report.registered;
        sum.games += report.games;
    }
    std::cout << "seeds " << seeds.first << " to " << seeds.end - 1 << ": " << sum.reloads
              << " configs taken, " << sum.refused << " refused, " << sum.tournaments
              << " tournaments, " << sum.games << " games, " << sum.registered
              << " bots registered\n";
    if (seeds.by_name || ::testing::Test::HasFailure()) return;
    EXPECT_GT(sum.reloads, 0U);
    EXPECT_GT(sum.refused, 0U);
    EXPECT_GT(sum.registered, 0U);
    EXPECT_GT(sum.tournaments, seeds.count());
}

}  // namespace
}  // namespace tests::sim
