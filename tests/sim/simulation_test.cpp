#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>

#include "tests/sim/simulation.h"

namespace tests::sim {
namespace {

// A number from the environment: so one run can be repeated, and many can be asked for.
std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

constexpr std::size_t complaints_shown = 5;

void expect_good(std::uint64_t seed, const RunReport& report) {
    for (std::size_t i = 0; i < std::min(report.complaints.size(), complaints_shown); ++i) {
        ADD_FAILURE() << "SIM_SEED=" << seed << ": " << report.complaints[i];
    }
}

TEST(Simulation, tournaments_keep_their_promises) {
    const bool one = std::getenv("SIM_SEED") != nullptr;
    const auto first = number_from("SIM_SEED", 1);
    const auto runs = one ? number_from("SIM_RUNS", 1) : number_from("SIM_RUNS", SIM_RUNS_DEFAULT);
    std::map<std::string, std::size_t> games;
    std::map<referee::scheduler::Ending::Kind, std::size_t> endings;
    RunReport sum;
    for (auto seed = first; seed < first + runs && !::testing::Test::HasFailure(); ++seed) {
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
    using Kind = referee::scheduler::Ending::Kind;
    std::cout << "seeds " << first << " to " << first + runs - 1 << ": " << endings[Kind::finished]
              << " finished, " << endings[Kind::stopped] << " stopped, " << endings[Kind::stuck]
              << " stuck, " << endings[Kind::not_recorded] << " not recorded\n"
              << sum.games << " games, " << sum.turns << " turns, " << sum.connections
              << " connections, " << sum.forfeited << " forfeits, " << sum.annulled << " annulled, "
              << sum.faults << " faults, " << sum.races << " charges computed again, " << sum.states
              << " states compared\n";
    for (const auto& [game, played] : games) std::cout << game << ": " << played << " games\n";
    if (one || ::testing::Test::HasFailure()) return;
    for (const auto& game : registry().games())
        EXPECT_GT(games[std::string(game->info().id)], 0U) << game->info().id;
}

// Answers race the deadline, bots come and go, and the referee stands still again and again.
// Whether a bot is blamed follows from arithmetic alone; the order at one instant decides nothing.
TEST(Simulation, stalls_never_choose_the_loser) {
    std::size_t annulled = 0;
    std::size_t races = 0;
    constexpr std::uint64_t first = 100'001;
    const auto runs = std::max<std::uint64_t>(20, number_from("SIM_RUNS", SIM_RUNS_DEFAULT) / 20);
    for (auto seed = first; seed < first + runs && !::testing::Test::HasFailure(); ++seed) {
        auto plan = draw_plan(seed);
        plan.stalls = 150;
        plan.commits_good = 0;
        for (auto& bot : plan.plans) bot.habits.pace = Pace::racing;
        const auto report = Simulation(plan, seed).run();
        expect_good(seed, report);
        annulled += report.annulled;
        races += report.races;
    }
    std::cout << races << " charges computed again, " << annulled << " games annulled\n";
    EXPECT_GT(races, 0U);
    EXPECT_GT(annulled, 0U);
}

// Bots play, rest, come and go: as long as two of them could play, they do.
TEST(Simulation, ladders_never_stand_still) {
    RunReport sum;
    const bool one = std::getenv("SIM_SEED") != nullptr;
    const auto first = number_from("SIM_SEED", 1);
    const auto runs =
        one ? 1 : std::max<std::uint64_t>(20, number_from("SIM_RUNS", SIM_RUNS_DEFAULT) / 20);
    for (auto seed = first; seed < first + runs && !::testing::Test::HasFailure(); ++seed) {
        const auto report = Simulation(draw_ladder(seed), seed).run();
        expect_good(seed, report);
        sum.matches += report.matches;
        sum.dropped += report.dropped;
        sum.registered += report.registered;
        sum.games += report.games;
    }
    std::cout << sum.games << " games, " << sum.matches << " matches, " << sum.dropped
              << " dropped, " << sum.registered << " registered\n";
    if (one || ::testing::Test::HasFailure()) return;
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
    using referee::tournament::FormatKind;
    std::map<std::string, std::size_t> withdrawn;
    const bool one = std::getenv("SIM_SEED") != nullptr;
    const auto first = number_from("SIM_SEED", 1);
    const auto runs =
        one ? 1 : std::max<std::uint64_t>(200, number_from("SIM_RUNS", SIM_RUNS_DEFAULT) / 10);
    for (auto seed = first; seed < first + runs && !::testing::Test::HasFailure(); ++seed) {
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
    if (one || ::testing::Test::HasFailure()) return;
    for (const auto* format : {"round_robin", "swiss", "gauntlet", "swiss in pods"})
        EXPECT_GT(withdrawn[format], 0U) << format;
}

// The referee's process is gone, once or more, and another one goes on with what was recorded: all
// that was told stays true, and all promises hold over all lives.
TEST(Simulation, tournaments_go_on_where_they_were_cut_off) {
    RunReport sum;
    const bool one = std::getenv("SIM_SEED") != nullptr;
    const auto first = number_from("SIM_SEED", 300'001);
    const auto runs =
        one ? 1 : std::max<std::uint64_t>(40, number_from("SIM_RUNS", SIM_RUNS_DEFAULT) / 5);
    for (auto seed = first; seed < first + runs && !::testing::Test::HasFailure(); ++seed) {
        const auto report = Simulation(draw_cut(seed), seed).run();
        expect_good(seed, report);
        sum.cuts += report.cuts;
        sum.interrupted += report.interrupted;
        sum.registered += report.registered;
        sum.games += report.games;
    }
    std::cout << sum.cuts << " cuts, " << sum.games << " games, " << sum.interrupted
              << " interrupted, " << sum.registered << " registered\n";
    if (one || ::testing::Test::HasFailure()) return;
    EXPECT_GT(sum.cuts, runs / 2);
    EXPECT_GT(sum.interrupted, 0U);
    EXPECT_GT(sum.registered, 0U);
}

TEST(Simulation, the_same_seed_gives_the_same_bytes) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const auto first = simulate(seed, seed);
        const auto second = simulate(seed, seed);
        EXPECT_EQ(first.journal, second.journal) << "SIM_SEED=" << seed;
        EXPECT_FALSE(first.journal.empty());
    }
}

}  // namespace
}  // namespace tests::sim
