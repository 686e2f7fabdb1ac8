#include <gtest/gtest.h>

#include <iostream>

#include "tests/sim/seeds.h"
#include "tests/sim/simulation.h"

namespace tests::sim {
namespace {

// SIM_ORDERS_SEED: only that one.
TEST(Simulation, an_order_that_was_taken_takes_effect) {
    const auto seeds = seeds_of({.alone = "SIM_ORDERS_SEED", .first = 200'001, .least = 50});
    std::size_t taken = 0;
    std::size_t rounds = 0;
    std::size_t games = 0;
    for (auto seed = seeds.first; seed < seeds.end && !::testing::Test::HasFailure(); ++seed) {
        auto plan = draw_plan(seed);
        add_orders(plan);
        const auto report = Simulation(plan, seed).run();
        for (const auto& complaint : report.complaints)
            ADD_FAILURE() << "SIM_ORDERS_SEED=" << seed << ": " << complaint;
        taken += report.orders;
        rounds += report.rounds_of_admitted;
        games += report.games;
    }
    std::cout << "seeds " << seeds.first << " to " << seeds.end - 1 << ": " << taken
              << " orders taken, " << games << " games, " << rounds
              << " rounds of bots that were let in\n";
    if (!seeds.by_name) {
        EXPECT_GT(taken, 0U);
        EXPECT_GT(rounds, 0U);
    }
}

}  // namespace
}  // namespace tests::sim
