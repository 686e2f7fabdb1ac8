// What `check` tells of a tournament before it is played, held against the tournament itself,
// played on simulated time by bots that do as the estimate assumes: they come, stay, and play one
// game at a time.

#include <gtest/gtest.h>

#include <iostream>

#include "referee/estimate/tournament_estimate.h"
#include "tests/sim/seeds.h"
#include "tests/sim/simulation.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using referee::estimate::DurationEstimate;

RunPlan plan_of_sound_bots(std::uint64_t seed, Pace pace) {
    auto plan = draw_plan(seed);
    plan.stalls = 0;
    plan.stopped = false;
    plan.commits_good = 0;
    plan.commit_slowest = 1ms;
    for (auto& bot : plan.plans) {
        bot.habits = {};
        bot.habits.pace = pace;
        bot.link = {};
        bot.link.delay = 50us;
        bot.comes = true;
        bot.arrives = 1ms;
        bot.parallel = 1;
        bot.games = {plan.tournament.game};
    }
    return plan;
}

DurationEstimate estimated(const RunPlan& plan) {
    const auto config = config_of(plan);
    return referee::estimate::estimate_of(config, config.tournaments.front(), {},
                                          {plan.games_at_once, plan.cores});
}

TEST(DurationEstimate, BoundsHoldWhateverIsPlayed) {
    std::size_t with_worst = 0;
    std::size_t held = 0;
    const auto seeds = seeds_of({.alone = "SIM_SEED", .least = 10});
    for (auto seed = seeds.first; seed < seeds.end; ++seed) {
        const auto pace = seed % 3 == 0 ? Pace::racing : seed % 3 == 1 ? Pace::slow : Pace::quick;
        const auto plan = plan_of_sound_bots(seed, pace);
        const auto estimate = estimated(plan);
        ASSERT_EQ(estimate.unknown, "") << seed;
        const auto report = Simulation(plan, seed).run();
        ASSERT_EQ(report.complaints, std::vector<std::string>()) << seed;
        if (report.annulled > 0 || report.withdrawn > 0 ||
            report.ending->kind != referee::scheduler::SchedulerEnding::Kind::finished)
            continue;
        ++held;
        const auto told = "SIM_SEED=" + std::to_string(seed) + " " + plan.tournament.game + " " +
                          std::string(name_of(plan.tournament.format.kind()));
        EXPECT_GE(report.games, estimate.games.least) << told;
        EXPECT_LE(report.games, estimate.games.most) << told;
        if (!estimate.worst) continue;
        ++with_worst;
        EXPECT_LE(report.took, *estimate.worst) << told;
    }
    std::cout << held << " tournaments, " << with_worst << " with a worst time\n";
    if (seeds.by_name) return;
    EXPECT_GT(held, seeds.count() / 2);
    EXPECT_GT(with_worst, held / 2);
}

}  // namespace
}  // namespace tests::sim
