#include "referee/office/cli/forecast.h"

#include <algorithm>
#include <cmath>

#include "referee/config/entries.h"
#include "referee/config/reader.h"
#include "referee/contests/tournament/format.h"
#include "referee/contests/tournament/match.h"
#include "referee/games/play/play.h"

namespace referee::cli {
namespace {

// What the referee itself needs for a game: less than any was measured to take, and more than any
// should (its record on a slow disk, its two lines to each bot).
constexpr Duration own_time_least = std::chrono::microseconds(100);
constexpr Duration own_time_usual = std::chrono::milliseconds(5);
constexpr Duration own_time_most = std::chrono::milliseconds(250);
// More cores than any machine that we know of.
constexpr std::size_t cores_most = 1024;

double seconds(Duration time) {
    return std::chrono::duration<double>(time).count();
}

Duration duration_of(double of_seconds) {
    constexpr double most = 100.0 * 365 * 24 * 3600;  // far from overflow
    return std::chrono::duration_cast<Duration>(
        std::chrono::duration<double>(std::min(of_seconds, most)));
}

// One game, in seconds.
struct GameTime {
    double span = 0;  // from its beginning to its end, when all have the cores that they want
    double work = 0;  // what all its bots think together
};

// ---- The longest game --------------------------------------------------------------------------

struct Longest {
    GameTime game;
    std::int64_t turns = 0;
};

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
    const auto ways = clock.allowance && !all_launched ? n * seconds(clock.allowance_max) : 0;
    const auto late = clock.waits_for_late ? k * seconds(clock.hung_after) : 0;
    const auto by_turns = n * seconds(turn_most(clock)) + ways + late;
    if (clock.kind != clock::ClockKind::game || clock.measure == clock::Measure::cpu)
        return by_turns;
    const auto by_budget = k * (seconds(clock.budget) + n * seconds(clock.increment)) + ways;
    return std::min(by_budget, by_turns);
}

// Of all setups of the tournament; nothing where one has no end.
std::optional<Longest> longest_game(const config::TournamentConfig& tournament,
                                    const engines::Game& game, std::size_t seats,
                                    double start_within, bool all_launched) {
    const bool solo = tournament.match.solo;
    const auto seated = solo ? std::size_t{1} : seats;
    Longest longest;
    for (const auto& setup : tournament.setups) {
        const auto text = solo ? setup : tournament::setup_for(game, setup, seats);
        protocol::json::Document params;
        if (!params.parse(text, {.depth_max = play::params_depth_max})) return std::nullopt;
        const auto begun = game.start(params.root(), 1);
        const auto turns = begun ? (*begun)->turns_most() : std::nullopt;
        if (!turns) return std::nullopt;
        const auto k = static_cast<double>(seated);
        const auto thinking = thinking_most(tournament.clock, *turns, seated, all_launched);
        const auto ready = seconds(tournament.ready_budget) + start_within;
        const GameTime of_setup{ready + thinking + seconds(own_time_most),
                                k * ready + (game.info().simultaneous ? k : 1) * thinking};
        longest.turns = std::max(longest.turns, *turns);
        if (of_setup.span > longest.game.span) longest.game = of_setup;
    }
    return longest;
}

// ---- The usual game ----------------------------------------------------------------------------

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

std::optional<GameTime> usual_game(const config::TournamentConfig& tournament,
                                   const std::vector<tournament::Entry>& entries,
                                   const engines::Game& game, const PlayedTimes& played,
                                   std::size_t seats) {
    const auto of_all = played.in_a_game(tournament.game);
    if (!of_all) return std::nullopt;
    std::vector<double> times;
    double sum = 0;
    for (const auto& entry : entries) {
        times.push_back(seconds(played.in_a_game(tournament.game, entry.name).value_or(*of_all)));
        sum += times.back();
    }
    const auto seated = tournament.match.solo ? std::size_t{1} : std::min(seats, times.size());
    const auto work = sum / static_cast<double>(times.size()) * static_cast<double>(seated);
    const auto span = game.info().simultaneous ? expected_slowest(times, seated) : work;
    return GameTime{span + seconds(own_time_usual), work};
}

// ---- All games together ------------------------------------------------------------------------

struct Plan {
    std::vector<CountedRound> rounds;
    bool launches = false;
};

// A lower bound: as many games at once as may be, and rounds one after the other.
double best_time(const Plan& plan, const Machine& machine) {
    double sum = 0;
    for (const auto& round : plan.rounds) {
        if (round.games.least == 0) continue;
        const auto waves =
            static_cast<double>(round.games.least) / static_cast<double>(machine.games_at_once);
        sum += std::max(1.0, waves) * seconds(own_time_least);
    }
    return sum;
}

// As long as something is left to be played: all games that may be are played, or all cores think,
// or a bot is busy with what it has to play.
double likely_time(const Plan& plan, const Machine& machine, const GameTime& game) {
    double sum = 0;
    for (const auto& round : plan.rounds) {
        const auto games = round.games_usual;
        const auto by_games = games * game.span / static_cast<double>(machine.games_at_once);
        const auto by_cores =
            plan.launches ? games * game.work / static_cast<double>(machine.cores) : 0;
        const auto share =
            round.games.most == 0 ? 0 : games / static_cast<double>(round.games.most);
        const auto by_bot =
            static_cast<double>(round.matches_most * round.games_most) * share * game.span;
        sum += std::max({by_games, by_cores, by_bot});
    }
    return sum;
}

// An upper bound. Until the last match of a round begins to be played, each moment is one in which
// all games that may be are played, or all cores think, or one of its bots is busy.
double worst_time(const Plan& plan, const Machine& machine, const GameTime& game) {
    double sum = 0;
    for (const auto& round : plan.rounds) {
        const auto games = static_cast<double>(round.games.most);
        sum += games * game.span / static_cast<double>(machine.games_at_once);
        if (plan.launches) sum += games * game.work / static_cast<double>(machine.cores);
        sum += static_cast<double>(round.seats * round.matches_most * round.games_most) * game.span;
    }
    return sum;
}

// The least number of cores, with as many games at once, that halves what `time` says.
template <typename Time>
std::size_t cores_to_halve(const Machine& machine, const Time& time) {
    const double half = time(machine) / 2;
    for (auto cores = machine.cores + 1; cores <= cores_most; ++cores) {
        if (time(Machine{std::max(machine.games_at_once, cores), cores}) <= half) return cores;
    }
    return 0;
}

// ---- The field ---------------------------------------------------------------------------------

struct Entrants {
    std::vector<tournament::Entry> entries;
    std::string unknown;
};

Entrants entrants_of(const config::Config& config, const config::TournamentConfig& tournament,
                     const PlayedTimes& played) {
    if (!tournament.field_from) {
        Entrants field{config::entries_of(tournament, config.bots), {}};
        if (field.entries.size() < 2 && tournament.starts_by_order)
            field.unknown = "who takes part is known when the order to begin comes";
        return field;
    }
    const auto& from = *tournament.field_from;
    auto bots = played.entrants(from.ladder);
    if (from.best > 0) bots = bots == 0 ? from.best : std::min(bots, from.best);
    if (bots < 2) return {{}, "how many bots the ladder " + from.ladder + " will have isn't known"};
    Entrants field{std::vector<tournament::Entry>(bots), {}};
    for (std::size_t i = 0; i < bots; ++i) field.entries[i].name = "#" + std::to_string(i + 1);
    return field;
}

bool is_good(const config::TournamentConfig& tournament, const engines::GameInfo& game,
             const std::vector<tournament::Entry>& entries) {
    return tournament::check_format(tournament.format, entries,
                                    {game.seats_min, game.seats_max, game.seats_max == 1})
        .empty();
}

// The bots of a tournament whose field is taken from a ladder may be any.
std::vector<const config::BotConfig*> bots_of(const config::Config& config,
                                              const config::TournamentConfig& tournament) {
    std::vector<const config::BotConfig*> bots;
    for (const auto index : tournament.bots) bots.push_back(&config.bots[index]);
    if (!bots.empty()) return bots;
    for (const auto& bot : config.bots) bots.push_back(&bot);
    return bots;
}

// What a game may wait for its bots to be launched, at most.
double start_of_a_game(const std::vector<const config::BotConfig*>& bots) {
    double most = 0;
    for (const auto* bot : bots) {
        if (bot->launched() && bot->lifetime != config::Lifetime::tournament)
            most = std::max(most, seconds(bot->start_within));
    }
    return most;
}

double start_of_all(const std::vector<const config::BotConfig*>& bots) {
    double most = 0;
    for (const auto* bot : bots) {
        if (bot->launched()) most = std::max(most, seconds(bot->start_within));
    }
    return most;
}

}  // namespace

Forecast forecast_of(const config::Config& config, const config::TournamentConfig& tournament,
                     const PlayedTimes& played, const Machine& machine) {
    Forecast forecast;
    forecast.tournament = tournament.id;
    forecast.machine = machine;
    if (!tournament::traits_of(tournament.format).ends) {
        forecast.unknown = "a ladder goes on without end";
        return forecast;
    }
    const auto field = entrants_of(config, tournament, played);
    const auto registry = config::registry_for(tournament);
    if (!field.unknown.empty() || !registry) {
        forecast.unknown = field.unknown.empty() ? registry.error().message : field.unknown;
        return forecast;
    }
    const auto& game = *(*registry)->find(tournament.game);
    if (!is_good(tournament, game.info(), field.entries)) {
        forecast.unknown = "its format doesn't fit so many bots";
        return forecast;
    }
    const auto bots = bots_of(config, tournament);
    const auto launched = [](const auto* bot) { return bot->launched(); };
    const bool all_launched = std::all_of(bots.begin(), bots.end(), launched);
    Plan plan{count_rounds(tournament, field.entries), false};
    plan.launches = forecast.launches = std::any_of(bots.begin(), bots.end(), launched);
    forecast.bots = field.entries.size();
    std::size_t seats = 1;
    for (const auto& round : plan.rounds) {
        forecast.matches += round.matches;
        forecast.games += round.games;
        seats = std::max(seats, round.seats);
    }
    forecast.best = duration_of(best_time(plan, machine));
    const auto usual = usual_game(tournament, field.entries, game, played, seats);
    const auto longest = longest_game(tournament, game, seats, start_of_a_game(bots), all_launched);
    if (usual) {
        forecast.likely = duration_of(likely_time(plan, machine, *usual));
        forecast.games_known = played.games(tournament.game);
    }
    if (longest) {
        forecast.worst = duration_of(start_of_all(bots) + worst_time(plan, machine, longest->game));
        forecast.turns_most = longest->turns;
    }
    if (!plan.launches || (!usual && !longest)) return forecast;
    forecast.cores_to_halve = cores_to_halve(machine, [&](const Machine& other) {
        return usual ? likely_time(plan, other, *usual) : worst_time(plan, other, longest->game);
    });
    return forecast;
}

}  // namespace referee::cli
