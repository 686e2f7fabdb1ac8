#include <gtest/gtest.h>

#include <iostream>

#include "tests/sim/cuts.h"
#include "tests/sim/seeds.h"
#include "tests/sim/simulation.h"

namespace tests::sim {
namespace {

// Orders of an arbiter between any two events, and cuts behind any commit: nothing is lost, and
// what can go on goes on. SIM_ARBITER_SEED: only that one.
TEST(Simulation, an_arbiters_orders_hold_over_cuts) {
    const auto seeds = seeds_of({.alone = "SIM_ARBITER_SEED", .first = 700'001, .least = 50});
    RunReport sum;
    for (auto seed = seeds.first; seed < seeds.end && !::testing::Test::HasFailure(); ++seed) {
        auto plan = draw_plan(seed);
        add_arbiter(plan);
        Random random(seed);
        if (random.chance(70)) add_cuts(plan, random);
        const auto report = Simulation(plan, seed).run();
        for (const auto& complaint : report.complaints)
            ADD_FAILURE() << "SIM_ARBITER_SEED=" << seed << ": " << complaint;
        sum.orders += report.orders;
        sum.cuts += report.cuts;
        sum.ruled += report.ruled;
        sum.by_hand += report.by_hand;
        sum.games += report.games;
    }
    std::cout << "seeds " << seeds.first << " to " << seeds.end - 1 << ": " << sum.orders
              << " orders taken, " << sum.ruled << " results set, " << sum.by_hand
              << " matches set by hand, " << sum.cuts << " cuts, " << sum.games << " games\n";
    if (seeds.by_name || ::testing::Test::HasFailure()) return;
    EXPECT_GT(sum.orders, seeds.count());
    EXPECT_GT(sum.ruled, 0U);
    EXPECT_GT(sum.by_hand, 0U);
    EXPECT_GT(sum.cuts, 0U);
}

}  // namespace
}  // namespace tests::sim
