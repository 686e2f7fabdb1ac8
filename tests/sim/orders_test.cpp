#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "tests/sim/simulation.h"

namespace tests::sim {
namespace {

constexpr std::uint64_t seed_first = 200'001;
constexpr std::uint64_t runs_least = 50;
constexpr std::uint64_t runs_part = 10;  // of the runs of all other simulations together

std::uint64_t runs_asked() {
    const char* text = std::getenv("SIM_RUNS");
    const auto all = text == nullptr ? SIM_RUNS_DEFAULT : std::strtoull(text, nullptr, 10);
    return std::max<std::uint64_t>(runs_least, all / runs_part);
}

// SIM_ORDERS_SEED: only that one.
TEST(Simulation, an_order_that_was_taken_takes_effect) {
    const char* one = std::getenv("SIM_ORDERS_SEED");
    const auto first = one == nullptr ? seed_first : std::strtoull(one, nullptr, 10);
    const auto last = one == nullptr ? first + runs_asked() : first + 1;
    std::size_t taken = 0;
    std::size_t rounds = 0;
    std::size_t games = 0;
    for (auto seed = first; seed < last && !::testing::Test::HasFailure(); ++seed) {
        auto plan = draw_plan(seed);
        add_orders(plan);
        const auto report = Simulation(plan, seed).run();
        for (const auto& complaint : report.complaints)
            ADD_FAILURE() << "SIM_ORDERS_SEED=" << seed << ": " << complaint;
        taken += report.orders;
        rounds += report.rounds_of_admitted;
        games += report.games;
    }
    std::cout << "seeds " << first << " to " << last - 1 << ": " << taken << " orders taken, "
              << games << " games, " << rounds << " rounds of bots that were let in\n";
    if (one == nullptr) {
        EXPECT_GT(taken, 0U);
        EXPECT_GT(rounds, 0U);
    }
}

}  // namespace
}  // namespace tests::sim
