// What `check` tells of a tournament before it is played, held against the tournament itself,
// played on simulated time by bots that do as the estimate assumes: they come, stay, and play one
// game at a time.

#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

#include "referee/estimate/tournament_estimate.h"
#include "referee/store/records/record_line.h"
#include "tests/sim/seeds.h"
#include "tests/sim/simulation.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using referee::estimate::DurationEstimate;
using referee::estimate::PlayedTimes;

// A likely time is right within this factor, either way.
constexpr double likely_factor = 4;
// Below this it says too little to be held against anything.
constexpr Duration likely_least = 2s;

// Simulated bots get ready for a game within this time, which is none of their thinking.
constexpr Duration gets_ready_within = 300ms;

double ratio_of(Duration one, Duration other) {
    return std::chrono::duration<double>(one).count() /
           std::chrono::duration<double>(other).count();
}

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

DurationEstimate estimated(const RunPlan& plan, const PlayedTimes& played) {
    const auto config = config_of(plan);
    return estimate_of(config, config.tournaments.front(), played,
                       {plan.games_at_once, plan.cores});
}

PlayedTimes times_in(const std::string& journal) {
    PlayedTimes played;
    std::istringstream lines(journal);
    for (std::string line; std::getline(lines, line);) {
        const auto record = referee::records::read_record(line);
        if (record) played.take(*record);
    }
    return played;
}

TEST(DurationEstimate, BoundsHoldWhateverIsPlayed) {
    std::size_t with_worst = 0;
    std::size_t held = 0;
    const auto seeds = seeds_of({.alone = "SIM_SEED", .least = 10});
    for (auto seed = seeds.first; seed < seeds.end; ++seed) {
        const auto pace = seed % 3 == 0 ? Pace::racing : seed % 3 == 1 ? Pace::slow : Pace::quick;
        const auto plan = plan_of_sound_bots(seed, pace);
        const auto estimate = estimated(plan, {});
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

// The bots' times are those of a run before, in which they thought about other games.
TEST(DurationEstimate, LikelyIsRightWithinItsFactor) {
    std::size_t held = 0;
    double worst_ratio = 1;
    const auto seeds = seeds_of({.alone = "SIM_SEED", .least = 10});
    for (auto seed = seeds.first; seed < seeds.end; ++seed) {
        auto plan = plan_of_sound_bots(seed, Pace::quick);
        // What a launch takes is no time in which a bot thinks.
        for (auto& bot : plan.plans) bot.launched = false;
        for (auto& bot : plan.bots) bot.launch.clear();
        const auto before = Simulation(plan, seed).run();
        plan.seed += 1'000'000;  // the bots draw other times and moves
        plan.tournament.seed += 1;
        const auto estimate = estimated(plan, times_in(before.journal));
        const auto report = Simulation(plan, seed).run();
        if (!estimate.likely || report.took < likely_least || report.annulled > 0 ||
            report.withdrawn > 0 || report.forfeited > 0)
            continue;
        ++held;
        const auto games = static_cast<std::int64_t>(report.games);
        const auto shorter = ratio_of(*estimate.likely, report.took);
        const auto longer = ratio_of(report.took, *estimate.likely + games * gets_ready_within);
        worst_ratio = std::max({worst_ratio, shorter, longer});
        EXPECT_LE(std::max(shorter, longer), likely_factor)
            << "SIM_SEED=" << seed << " " << plan.tournament.game << " "
            << name_of(plan.tournament.format.kind()) << ", " << plan.tournament.bots.size()
            << " bots, took " << referee::in_us(report.took) << " us, likely "
            << referee::in_us(*estimate.likely) << " us";
    }
    std::cout << held << " tournaments, at most a factor of " << worst_ratio << '\n';
    if (seeds.by_name) return;
    EXPECT_GT(held, seeds.count() / 3);
}

}  // namespace
}  // namespace tests::sim
