#include <gtest/gtest.h>

#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <vector>

#include "tests/sample.h"
#include "tests/sim/run_plan.h"
#include "tests/sim/seeds.h"
#include "tests/sim/simulation.h"

namespace tests::sim {
namespace {

constexpr std::size_t complaints_shown = 5;

void expect_good(const RunReport& report) {
    for (std::size_t i = 0; i < std::min(report.complaints.size(), complaints_shown); ++i)
        ADD_FAILURE() << report.complaints[i];
}

constexpr std::uint64_t parts = 5;
// Among fewer tournaments a game may be missing.
constexpr std::uint64_t runs_with_all_games = 80;
// Among fewer, of which some bots are dead, nobody may be withdrawn in one of the formats.
constexpr std::uint64_t runs_with_all_formats = 200;

// SIM_FIRST: as many as always, from that seed on. SIM_SEED: from that one on, SIM_RUNS or one,
// all in the first part.
Seeds seeds_of_part(std::uint64_t part) {
    auto seeds = seeds_of({.alone = "SIM_SEED", .percent = 100, .from = "SIM_FIRST"});
    if (!seeds.by_name) return seeds.part(part, parts);
    seeds.end = seeds.first + (part == 0 ? number_from("SIM_RUNS", 1) : 0);
    return seeds;
}

// A figure of the runs' reports. Where that is said, all runs together come to more than so many
// for each.
struct Figure {
    const char* name;
    std::size_t RunReport::*of;
    std::optional<double> a_run{};
};

constexpr double in_some = 0;

// Every promise is kept in what is drawn for each seed, whose variable is `named`. Tells the sums
// of the figures; says whether all was good and the seeds are those of a whole run, or a sample of
// them.
bool expect_promises(
    const Seeds& seeds, const char* named, const std::function<RunPlan(std::uint64_t)>& draw,
    const std::vector<Figure>& figures,
    const std::function<void(const RunPlan& plan, const RunReport& report)>& look = {}) {
    std::vector<std::size_t> sums(figures.size());
    for (auto seed = seeds.first; seed < seeds.end && !::testing::Test::HasFailure(); ++seed) {
        const ::testing::ScopedTrace trace(__FILE__, __LINE__,
                                           named + ("=" + std::to_string(seed)));
        const auto plan = draw(seed);
        const auto report = Simulation(plan, seed).run();
        expect_good(report);
        if (look) look(plan, report);
        for (std::size_t i = 0; i < figures.size(); ++i) sums[i] += report.*(figures[i].of);
    }
    std::cout << "seeds " << seeds.first << " to " << seeds.end - 1;
    for (std::size_t i = 0; i < figures.size(); ++i)
        std::cout << ", " << sums[i] << ' ' << figures[i].name;
    std::cout << '\n';
    if (seeds.by_name || ::testing::Test::HasFailure()) return false;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const auto& [name, of, a_run] = figures[i];
        if (!a_run) continue;
        EXPECT_GT(static_cast<double>(sums[i]), *a_run * static_cast<double>(seeds.count()))
            << name;
    }
    return true;
}

void expect_promises(const SeedsWanted& wanted, const std::function<RunPlan(std::uint64_t)>& draw,
                     const std::vector<Figure>& figures) {
    expect_promises(seeds_of(wanted), wanted.alone, draw, figures);
}

class Tournaments : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Parts, Tournaments, ::testing::Range<std::uint64_t>(0, parts));

TEST_P(Tournaments, keep_their_promises) {
    using Kind = referee::scheduler::SchedulerEnding::Kind;
    const auto seeds = seeds_of_part(GetParam());
    if (seeds.count() == 0) return;
    std::map<std::string, std::size_t> games;
    std::map<Kind, std::size_t> endings;
    const bool good = expect_promises(seeds, "SIM_SEED", draw_plan,
                                      {{"games", &RunReport::games},
                                       {"turns", &RunReport::turns},
                                       {"connections", &RunReport::connections},
                                       {"forfeits", &RunReport::forfeited},
                                       {"annulled", &RunReport::annulled},
                                       {"faults", &RunReport::faults},
                                       {"charges computed again", &RunReport::races},
                                       {"states compared", &RunReport::states}},
                                      [&](const RunPlan& plan, const RunReport& report) {
                                          if (report.ending) ++endings[report.ending->kind];
                                          games[plan.tournament.game] += report.games;
                                      });
    std::cout << endings[Kind::finished] << " finished, " << endings[Kind::stopped] << " stopped, "
              << endings[Kind::set_aside] << " set aside, " << endings[Kind::not_recorded]
              << " not recorded\n";
    for (const auto& [game, played] : games) std::cout << game << ": " << played << " games\n";
    if (!good || seeds.count() < runs_with_all_games) return;
    for (const auto& game : registry().games())
        EXPECT_GT(games[std::string(game->info().id)], 0U) << game->info().id;
}

// Answers race the deadline, bots come and go, and the referee stands still again and again.
// Whether a bot is blamed follows from arithmetic alone; the order at one instant decides nothing.
// SIM_STALLS_SEED: only that one.
TEST(Simulation, stalls_never_choose_the_loser) {
    const auto draw = [](std::uint64_t seed) {
        auto plan = draw_plan(seed);
        plan.stalls = 150;
        plan.commits_good = 0;
        for (auto& bot : plan.plans) bot.habits.pace = Pace::racing;
        return plan;
    };
    expect_promises({.alone = "SIM_STALLS_SEED", .first = 100'001, .percent = 5, .least = 20}, draw,
                    {{"charges computed again", &RunReport::races, in_some},
                     {"games annulled", &RunReport::annulled, in_some}});
}

// Bots play, rest, come and go: as long as two of them could play, they do.
TEST(Simulation, ladders_never_stand_still) {
    expect_promises({.alone = "SIM_SEED", .percent = 5, .least = 20}, draw_ladder,
                    {{"games", &RunReport::games},
                     {"matches", &RunReport::matches, 5},
                     {"dropped", &RunReport::dropped, in_some},
                     {"registered", &RunReport::registered, in_some}});
}

// Two bad lines end two turns of a bot, and a move for the next turn came with them: it is read
// when that turn has begun, so it is the answer, though it arrived before the turn was handed over.
TEST(Simulation, a_move_that_came_before_its_turn_is_its_answer) {
    constexpr std::uint64_t seed = 417;
    const auto report = Simulation(draw_ladder(seed), seed).run();
    expect_good(report);
    EXPECT_GT(report.early, 0U);
}

// Some bots never come or never answer: they are withdrawn, and bots that play are not.
TEST(Simulation, who_is_dead_is_withdrawn_and_nobody_else) {
    std::map<std::string, std::size_t> withdrawn;
    const auto seeds = seeds_of({.alone = "SIM_SEED", .percent = 10, .least = 40});
    const auto look = [&](const RunPlan& plan, const RunReport& report) {
        for (const auto& bot : plan.plans) {
            const bool dead = !bot.comes || bot.habits.never_logs_in || bot.habits.never_ready ||
                              bot.habits.keeps_silent + bot.habits.bad_moves > 0;
            // A bot that moves by lot may drive all its cycles into walls at once, which is not a
            // valid move.
            const bool may_crash_at_once = plan.tournament.game == "light_cycles";
            EXPECT_TRUE(dead || may_crash_at_once || !report.out.contains(bot.name))
                << bot.name << " plays " << plan.tournament.game << ", and is withdrawn";
        }
        if (plan.tournament.withdraw_after == 0) {
            EXPECT_EQ(report.withdrawn, 0U);
        }
        const auto& format = plan.tournament.format;
        withdrawn[std::string(name_of(format.kind())) + (seats_of(format) > 2 ? " in pods" : "")] +=
            report.withdrawn;
    };
    const bool good = expect_promises(seeds, "SIM_SEED", draw_dead, {}, look);
    for (const auto& [format, bots] : withdrawn)
        std::cout << format << ": " << bots << " withdrawn\n";
    if (!good) return;
    EXPECT_GT(withdrawn["round_robin"] + withdrawn["swiss"], 0U);
    if (seeds.count() < runs_with_all_formats) return;
    for (const auto* format : {"round_robin", "swiss", "gauntlet", "swiss in pods"})
        EXPECT_GT(withdrawn[format], 0U) << format;
}

// Where the config doesn't say how many games are played at once, those of launched bots are as
// many as they have cores; and all is played to its end.
TEST(Simulation, launched_bots_share_their_cores_and_all_is_played) {
    const auto draw = [](std::uint64_t seed) {
        auto plan = draw_dead(seed);
        Random random(seed);
        plan.games_at_once = 0;
        plan.cores = 1 + random.below(2);
        for (std::size_t i = 0; i < plan.plans.size(); ++i) {
            if (!plan.plans[i].comes || !random.chance(60)) continue;
            plan.plans[i].launched = true;
            plan.bots[i].launch = {"simulated"};
        }
        return plan;
    };
    expect_promises({.alone = "SIM_SEED", .first = 800'001, .percent = 5, .least = 20}, draw,
                    {{"games", &RunReport::games, 1}, {"in the last place", &RunReport::full, 1}});
}

// The referee's process is gone, once or more, and another one goes on with what was recorded: all
// that was told stays true, and all promises hold over all lives.
TEST(Simulation, tournaments_go_on_where_they_were_cut_off) {
    expect_promises({.alone = "SIM_SEED", .first = 300'001, .percent = 20, .least = 40}, draw_cut,
                    {{"cuts", &RunReport::cuts, 0.5},
                     {"games", &RunReport::games},
                     {"interrupted", &RunReport::interrupted, in_some},
                     {"registered", &RunReport::registered, in_some}});
}

// SIM_ORDERS_SEED: only that one.
TEST(Simulation, an_order_that_was_taken_takes_effect) {
    const auto draw = [](std::uint64_t seed) {
        auto plan = draw_plan(seed);
        add_orders(plan);
        return plan;
    };
    expect_promises({.alone = "SIM_ORDERS_SEED", .first = 200'001, .least = 50}, draw,
                    {{"orders taken", &RunReport::orders, in_some},
                     {"games", &RunReport::games},
                     {"rounds of bots that were let in", &RunReport::rounds_of_admitted, in_some}});
}

// Orders of an arbiter between any two events, and cuts behind any commit: nothing is lost, and
// what can go on goes on. SIM_ARBITER_SEED: only that one.
TEST(Simulation, an_arbiters_orders_hold_over_cuts) {
    const auto draw = [](std::uint64_t seed) {
        auto plan = draw_plan(seed);
        add_arbiter(plan);
        Random random(seed);
        if (random.chance(70)) add_cuts(plan, random);
        return plan;
    };
    expect_promises({.alone = "SIM_ARBITER_SEED", .first = 700'001, .least = 50}, draw,
                    {{"orders taken", &RunReport::orders, 1},
                     {"results set", &RunReport::ruled, in_some},
                     {"matches set by hand", &RunReport::by_hand, in_some},
                     {"cuts", &RunReport::cuts, in_some},
                     {"games", &RunReport::games}});
}

// Of configs that are read again fewer than forty runs say nothing.
class Reloaded : public ::testing::Test {
 protected:
    void SetUp() override {
#ifdef REFEREE_SANITIZED
        GTEST_SKIP() << "so many runs take minutes under sanitizers";
#endif
    }
};

// SIM_RELOADS_SEED: only that one.
TEST_F(Reloaded, a_config_takes_effect_or_changes_nothing) {
    expect_promises({.alone = "SIM_RELOADS_SEED", .first = 400'001, .least = 40}, draw_reload,
                    {{"configs taken", &RunReport::reloads, in_some},
                     {"refused", &RunReport::refused, in_some},
                     {"tournaments", &RunReport::tournaments, 1},
                     {"games", &RunReport::games},
                     {"bots registered", &RunReport::registered, in_some}});
}

// Orders, registrations, dead bots, ladders, reloads and cuts meet in one run.
// SIM_MIXED_SEED: only that one. SIM_MIXED_FIRST: as many as always, from that one on.
TEST_F(Reloaded, configs_and_cuts_meet_in_one_run) {
    expect_promises({.alone = "SIM_MIXED_SEED",
                     .first = 500'001,
                     .percent = 15,
                     .least = 40,
                     .from = "SIM_MIXED_FIRST"},
                    draw_mixed,
                    {{"cuts", &RunReport::cuts, 0.5},
                     {"configs taken", &RunReport::reloads, in_some},
                     {"refused", &RunReport::refused, in_some},
                     {"orders taken", &RunReport::orders},
                     {"given again", &RunReport::repeated, in_some},
                     {"bots registered", &RunReport::registered, in_some},
                     {"withdrawn", &RunReport::withdrawn, in_some},
                     {"tournaments", &RunReport::tournaments, 1},
                     {"games", &RunReport::games},
                     {"interrupted", &RunReport::interrupted, in_some}});
}

TEST(Simulation, the_same_seed_gives_the_same_bytes) {
    const auto seeds = sampled_stretch(30, 5);
    for (auto seed = seeds.first + 1; seed <= seeds.first + seeds.count; ++seed) {
        const auto first = simulate(seed, seed);
        const auto second = simulate(seed, seed);
        EXPECT_EQ(first.journal, second.journal) << "SIM_SEED=" << seed;
        EXPECT_FALSE(first.journal.empty());
    }
}

}  // namespace
}  // namespace tests::sim
