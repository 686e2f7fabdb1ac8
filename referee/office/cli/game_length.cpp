#include "referee/office/cli/game_length.h"

#include <algorithm>
#include <chrono>

#include "protocol/json/document.h"
#include "referee/contests/tournament/format.h"
#include "referee/contests/tournament/match.h"
#include "referee/games/play/play.h"

namespace referee::cli {
namespace {

// What the referee itself needs for a game: as was measured, and more than any should take (its
// record on a slow disk, its two lines to each bot).
constexpr Duration own_time_usual = std::chrono::milliseconds(5);
constexpr Duration own_time_most = std::chrono::milliseconds(250);

// How long a turn runs, at most, without what is allowed for a bot's way.
Duration turn_most(const clock::ClockConfig& clock) {
    return clock.kind == clock::ClockKind::turn ? std::max(clock.budget, clock.hard_limit)
                                                : clock.hard_limit;
}

// Under a clock for the game all bots together have their budgets; else each turn has its own.
double thinking_most(const clock::ClockConfig& clock, std::int64_t turns, std::size_t seats,
                     bool all_launched) {
    const auto n = static_cast<double>(turns);
    const auto k = static_cast<double>(seats);
    const auto ways = clock.allowance && !all_launched ? n * in_seconds(clock.allowance_max) : 0;
    const auto late = clock.waits_for_late ? k * in_seconds(clock.hung_after) : 0;
    const auto by_turns = n * in_seconds(turn_most(clock)) + ways + late;
    if (clock.kind != clock::ClockKind::game || clock.measure == clock::Measure::cpu)
        return by_turns;
    const auto by_budget = k * (in_seconds(clock.budget) + n * in_seconds(clock.increment)) + ways;
    return std::min(by_budget, by_turns);
}

// What the slowest of so many, drawn from these by lot, is expected to take.
double expected_slowest(std::vector<double> times, std::size_t drawn) {
    std::sort(times.begin(), times.end());
    drawn = std::min(drawn, times.size());
    // The chance that nobody above the i-th is drawn, for each i.
    double sum = 0;
    double below = 0;
    for (std::size_t i = drawn; i <= times.size(); ++i) {
        double all_below = 1;
        for (std::size_t j = 0; j < drawn; ++j)
            all_below *= static_cast<double>(i - j) / static_cast<double>(times.size() - j);
        sum += (all_below - below) * times[i - 1];
        below = all_below;
    }
    return sum;
}

}  // namespace

std::optional<LongestGame> longest_game(const config::TournamentConfig& tournament,
                                        const engines::Game& game, std::size_t seats,
                                        double start_within, bool all_launched) {
    const bool solo = tournament.match.solo;
    const auto seated = solo ? std::size_t{1} : seats;
    LongestGame longest;
    for (const auto& setup : tournament.setups) {
        const auto text = solo ? setup : tournament::setup_for(game, setup, seats);
        protocol::json::Document params;
        if (!params.parse(text, {.depth_max = play::params_depth_max})) return std::nullopt;
        const auto begun = game.start(params.root(), 1);
        const auto turns = begun ? (*begun)->turns_most() : std::nullopt;
        if (!turns) return std::nullopt;
        const auto k = static_cast<double>(seated);
        const auto thinking = thinking_most(tournament.clock, *turns, seated, all_launched);
        const auto ready = in_seconds(tournament.ready_budget) + start_within;
        const GameTime of_setup{ready + thinking + in_seconds(own_time_most),
                                k * ready + (game.info().simultaneous ? k : 1) * thinking};
        longest.turns = std::max(longest.turns, *turns);
        if (of_setup.span > longest.game.span) longest.game = of_setup;
    }
    return longest;
}

std::optional<GameTime> usual_game(const config::TournamentConfig& tournament,
                                   const std::vector<tournament::Entry>& entries,
                                   const engines::Game& game, const PlayedTimes& played,
                                   std::size_t seats) {
    const auto of_all = played.in_a_game(tournament.game);
    if (!of_all) return std::nullopt;
    std::vector<double> times;
    double sum = 0;
    for (const auto& entry : entries) {
        times.push_back(
            in_seconds(played.in_a_game(tournament.game, entry.name).value_or(*of_all)));
        sum += times.back();
    }
    const auto seated = tournament.match.solo ? std::size_t{1} : std::min(seats, times.size());
    const auto work = sum / static_cast<double>(times.size()) * static_cast<double>(seated);
    const auto span = game.info().simultaneous ? expected_slowest(times, seated) : work;
    return GameTime{span + in_seconds(own_time_usual), work};
}

GameTime told_game(Duration time, std::size_t thinks_at_once) {
    const auto span = in_seconds(time);
    return {span, span * static_cast<double>(thinks_at_once)};
}

}  // namespace referee::cli
