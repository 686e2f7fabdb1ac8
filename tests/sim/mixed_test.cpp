#include <gtest/gtest.h>

#include <iostream>

#include "tests/sim/mixed.h"
#include "tests/sim/seeds.h"
#include "tests/sim/simulation.h"

namespace tests::sim {
namespace {

// Orders, registrations, dead bots, ladders, reloads and cuts meet in one run.
// SIM_MIXED_SEED: only that one. SIM_MIXED_FIRST: as many as always, from that one on.
TEST(Simulation, reloads_and_cuts_meet_in_one_run) {
#ifdef REFEREE_SANITIZED
    GTEST_SKIP() << "fewer than forty runs say nothing, and so many take minutes under sanitizers";
#endif
    const auto seeds = seeds_of({.alone = "SIM_MIXED_SEED",
                                 .first = 500'001,
                                 .percent = 15,
                                 .least = 40,
                                 .from = "SIM_MIXED_FIRST"});
    RunReport sum;
    for (auto seed = seeds.first; seed < seeds.end && !::testing::Test::HasFailure(); ++seed) {
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
    std::cout << "seeds " << seeds.first << " to " << seeds.end - 1 << ": " << sum.cuts << " cuts, "
              << sum.reloads << " configs taken, " << sum.refused << " refused, " << sum.orders
              << " orders taken, " << sum.repeated << " given again, " << sum.registered
              << " bots registered, " << sum.withdrawn << " withdrawn, " << sum.tournaments
              << " tournaments, " << sum.games << " games, " << sum.interrupted << " interrupted\n";
    if (seeds.by_name || ::testing::Test::HasFailure()) return;
    EXPECT_GT(sum.cuts, seeds.count() / 2);
    EXPECT_GT(sum.reloads, 0U);
    EXPECT_GT(sum.refused, 0U);
    EXPECT_GT(sum.repeated, 0U);
    EXPECT_GT(sum.registered, 0U);
    EXPECT_GT(sum.withdrawn, 0U);
    EXPECT_GT(sum.interrupted, 0U);
    EXPECT_GT(sum.tournaments, seeds.count());
}

}  // namespace
}  // namespace tests::sim
