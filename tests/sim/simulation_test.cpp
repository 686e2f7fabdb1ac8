#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "tests/sample.h"
#include "tests/sim/seeds.h"
#include "tests/sim/simulation.h"

namespace tests::sim {
namespace {

constexpr std::size_t complaints_shown = 5;

void expect_good(std::uint64_t seed, const RunReport& report, const char* named = "SIM_SEED") {
    for (std::size_t i = 0; i < std::min(report.complaints.size(), complaints_shown); ++i) {
        ADD_FAILURE() << named << "=" << seed << ": " << report.complaints[i];
    }
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

class Tournaments : public ::testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Parts, Tournaments, ::testing::Range<std::uint64_t>(0, parts));

TEST_P(Tournaments, keep_their_promises) {
    const auto seeds = seeds_of_part(GetParam());
    if (seeds.count() == 0) return;
    std::map<std::string, std::size_t> games;
    std::map<referee::scheduler::SchedulerEnding::Kind, std::size_t> endings;
    RunReport sum;
    for (auto seed = seeds.first; seed < seeds.end && !::testing::Test::HasFailure(); ++seed) {
        const auto plan = draw_plan(seed);
        const auto report = Simulation(plan, seed).run();
        expect_good(seed, report);
        if (report.ending) ++endings[report.ending->kind];
        games[plan.tournament.game] += report.games;
        sum.games += report.games;
        sum.turns += report.turns;
        sum.forfeited += report.forfeited;
        sum.annulled += report.annulled;
        sum.faults += report.faults;
        sum.races += report.races;
        sum.states += report.states;
        sum.connections += report.connections;
    }
    using Kind = referee::scheduler::SchedulerEnding::Kind;
    std::cout << "seeds " << seeds.first << " to " << seeds.end - 1 << ": "
              << endings[Kind::finished] << " finished, " << endings[Kind::stopped] << " stopped, "
              << endings[Kind::stuck] << " stuck, " << endings[Kind::not_recorded]
              << " not recorded\n"
              << sum.games << " games, " << sum.turns << " turns, " << sum.connections
              << " connections, " << sum.forfeited << " forfeits, " << sum.annulled << " annulled, "
              << sum.faults << " faults, " << sum.races << " charges computed again, " << sum.states
              << " states compared\n";
    for (const auto& [game, played] : games) std::cout << game << ": " << played << " games\n";
    if (seeds.by_name || seeds.count() < runs_with_all_games || ::testing::Test::HasFailure())
        return;
    for (const auto& game : registry().games())
        EXPECT_GT(games[std::string(game->info().id)], 0U) << game->info().id;
}

// Answers race the deadline, bots come and go, and the referee stands still again and again.
// Whether a bot is blamed follows from arithmetic alone; the order at one instant decides nothing.
// SIM_STALLS_SEED: only that one.
TEST(Simulation, stalls_never_choose_the_loser) {
    std::size_t annulled = 0;
    std::size_t races = 0;
    const auto seeds =
        seeds_of({.alone = "SIM_STALLS_SEED", .first = 100'001, .percent = 5, .least = 20});
    for (auto seed = seeds.first; seed < seeds.end && !::testing::Test::HasFailure(); ++seed) {
        auto plan = draw_plan(seed);
        plan.stalls = 150;
        plan.commits_good = 0;
        for (auto& bot : plan.plans) bot.habits.pace = Pace::racing;
        const auto report = Simulation(plan, seed).run();
        expect_good(seed, report, "SIM_STALLS_SEED");
        annulled += report.annulled;
        races += report.races;
    }
    std::cout << races << " charges computed again, " << annulled << " games annulled\n";
    if (seeds.by_name || ::testing::Test::HasFailure()) return;
    EXPECT_GT(races, 0U);
    EXPECT_GT(annulled, 0U);
}

// Bots play, rest, come and go: as long as two of them could play, they do.
TEST(Simulation, ladders_never_stand_still) {
    RunReport sum;
    const auto seeds = seeds_of({.alone = "SIM_SEED", .percent = 5, .least = 20});
    for (auto seed = seeds.first; seed < seeds.end && !::testing::Test::HasFailure(); ++seed) {
        const auto report = Simulation(draw_ladder(seed), seed).run();
        expect_good(seed, report);
        sum.matches += report.matches;
        sum.dropped += report.dropped;
        sum.registered += report.registered;
        sum.games += report.games;
    }
    std::cout << sum.games << " games, " << sum.matches << " matches, " << sum.dropped
              << " dropped, " << sum.registered << " registered\n";
    if (seeds.by_name || ::testing::Test::HasFailure()) return;
    EXPECT_GT(sum.matches, 100U);
    EXPECT_GT(sum.registered, 0U);
    EXPECT_GT(sum.dropped, 0U);
}

// Two bad lines end two turns of a bot, and a move for the next turn came with them: it is read
// when that turn has begun, so it is the answer, though it arrived before the turn was handed over.
TEST(Simulation, a_move_that_came_before_its_turn_is_its_answer) {
    constexpr std::uint64_t seed = 417;
    const auto report = Simulation(draw_ladder(seed), seed).run();
    expect_good(seed, report);
    EXPECT_GT(report.early, 0U);
}

// Some bots never come or never answer: they are withdrawn, and bots that play are not.
TEST(Simulation, who_is_dead_is_withdrawn_and_nobody_else) {
    using referee::formats::FormatKind;
    std::map<std::string, std::size_t> withdrawn;
    const auto seeds = seeds_of({.alone = "SIM_SEED", .percent = 10, .least = 40});
    for (auto seed = seeds.first; seed < seeds.end && !::testing::Test::HasFailure(); ++seed) {
        const auto plan = draw_dead(seed);
        const auto report = Simulation(plan, seed).run();
        expect_good(seed, report);
        for (const auto& bot : plan.plans) {
            const bool dead = !bot.comes || bot.habits.never_logs_in || bot.habits.never_ready ||
                              bot.habits.keeps_silent + bot.habits.bad_moves > 0;
            // A bot that moves by lot may drive all its cycles into walls at once, which is not a
            // valid move.
            const bool may_crash_at_once = plan.tournament.game == "light_cycles";
            EXPECT_TRUE(dead || may_crash_at_once || !report.out.contains(bot.name))
                << "SIM_SEED=" << seed << ": " << bot.name << " plays " << plan.tournament.game
                << ", and is withdrawn";
        }
        if (plan.tournament.withdraw_after == 0) {
            EXPECT_EQ(report.withdrawn, 0U) << "SIM_SEED=" << seed;
        }
        const auto& format = plan.tournament.format;
        withdrawn[std::string(name_of(format.kind())) + (seats_of(format) > 2 ? " in pods" : "")] +=
            report.withdrawn;
    }
    for (const auto& [format, bots] : withdrawn)
        std::cout << format << ": " << bots << " withdrawn\n";
    if (seeds.by_name || ::testing::Test::HasFailure()) return;
    EXPECT_GT(withdrawn["round_robin"] + withdrawn["swiss"], 0U);
    if (seeds.count() < runs_with_all_formats) return;
    for (const auto* format : {"round_robin", "swiss", "gauntlet", "swiss in pods"})
        EXPECT_GT(withdrawn[format], 0U) << format;
}

// The referee's process is gone, once or more, and another one goes on with what was recorded: all
// that was told stays true, and all promises hold over all lives.
TEST(Simulation, tournaments_go_on_where_they_were_cut_off) {
    RunReport sum;
    const auto seeds =
        seeds_of({.alone = "SIM_SEED", .first = 300'001, .percent = 20, .least = 40});
    for (auto seed = seeds.first; seed < seeds.end && !::testing::Test::HasFailure(); ++seed) {
        const auto report = Simulation(draw_cut(seed), seed).run();
        expect_good(seed, report);
        sum.cuts += report.cuts;
        sum.interrupted += report.interrupted;
        sum.registered += report.registered;
        sum.games += report.games;
    }
    std::cout << sum.cuts << " cuts, " << sum.games << " games, " << sum.interrupted
              << " interrupted, " << sum.registered << " registered\n";
    if (seeds.by_name || ::testing::Test::HasFailure()) return;
    EXPECT_GT(sum.cuts, seeds.count() / 2);
    EXPECT_GT(sum.interrupted, 0U);
    EXPECT_GT(sum.registered, 0U);
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
