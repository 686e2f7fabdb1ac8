// Tournaments beside a crowd at the door: every promise is kept, and nobody of the crowd gets in.

#include <gtest/gtest.h>

#include <iostream>

#include "tests/sim/seeds.h"
#include "tests/sim/simulation.h"

namespace tests::sim {
namespace {

// SIM_CROWD_SEED: only that one.
TEST(Crowd, disturbs_no_tournament) {
    const auto seeds =
        seeds_of({.alone = "SIM_CROWD_SEED", .first = 700'001, .percent = 2, .least = 10});
    RunReport sum;
    for (auto seed = seeds.first; seed < seeds.end && !::testing::Test::HasFailure(); ++seed) {
        auto plan = draw_plan(seed);
        plan.crowd = true;
        const auto report = Simulation(plan, seed).run();
        for (const auto& complaint : report.complaints)
            ADD_FAILURE() << "SIM_CROWD_SEED=" << seed << ": " << complaint;
        sum.games += report.games;
        sum.crowd += report.crowd;
        sum.crowd_refused += report.crowd_refused;
        sum.crowd_shown_out += report.crowd_shown_out;
        sum.crowd_turned_away += report.crowd_turned_away;
    }
    std::cout << sum.games << " games beside " << sum.crowd << " connections: " << sum.crowd_refused
              << " wrong secrets were refused, " << sum.crowd_turned_away << " turned away, "
              << sum.crowd_shown_out << " connections shown out\n";
    if (seeds.by_name || ::testing::Test::HasFailure()) return;
    EXPECT_GT(sum.games, 0U);
    EXPECT_GT(sum.crowd_refused, 0U);
    EXPECT_GT(sum.crowd_turned_away, 0U);
    EXPECT_GT(sum.crowd_shown_out, 0U);
}

}  // namespace
}  // namespace tests::sim
