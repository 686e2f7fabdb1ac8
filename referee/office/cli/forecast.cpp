#include "referee/office/cli/forecast.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "referee/config/entries.h"
#include "referee/config/reader.h"
#include "referee/contests/tournament/format.h"
#include "referee/office/cli/game_length.h"

namespace referee::cli {
namespace {

// What the referee itself needs for a game: less than any was measured to take.
constexpr Duration own_time_least = std::chrono::microseconds(100);
// More cores than anything on which we know of tournaments.
constexpr std::size_t cores_most = std::size_t{1} << 20U;
// What a job takes besides its games: to be written, submitted and begun, to launch its bots; and
// then until its result is looked for, which is half of `Pace::look_most`, or all of it. That no
// machine is free for it is another thing.
constexpr Duration job_costs_usual = std::chrono::milliseconds(2000 + 2500);
constexpr Duration job_costs_most = std::chrono::seconds(60 + 5);
// Times that are equal but for rounding.
constexpr double nearly = 1 + 1e-9;

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
        sum += std::max(1.0, waves) * in_seconds(own_time_least);
    }
    return sum;
}

std::size_t together_most(const CountedRound& round, bool solo) {
    // Some bot is in all of them.
    if (round.matches_most >= round.matches.most && !solo) return 1;
    return std::max<std::size_t>(1,
                                 round.bots / (solo ? 1 : std::max<std::size_t>(1, round.seats)));
}

// Games for one seat don't wait for others of their match.
RoundLoad load_of(const CountedRound& round, double matches, double games, const GameTime& game,
                  bool solo) {
    RoundLoad load;
    const auto parts = solo ? games : matches;
    load.matches = static_cast<std::size_t>(std::ceil(parts));
    if (load.matches == 0) return load;
    const auto games_each = games / static_cast<double>(load.matches);
    load.match = {games_each * game.span, games_each * game.work};
    load.together_most = together_most(round, solo);
    const auto share = round.games.most == 0 ? 0 : games / static_cast<double>(round.games.most);
    load.busiest = static_cast<double>(round.matches_most * round.games_most) * share * game.span;
    return load;
}

TournamentLoad expected_load(const Plan& plan, const GameTime& game, bool solo) {
    TournamentLoad load;
    load.job_costs = job_costs_usual;
    for (const auto& round : plan.rounds)
        load.rounds.push_back(
            load_of(round, static_cast<double>(round.matches.least + round.matches.most) / 2,
                    round.games_usual, game, solo));
    return load;
}

TournamentLoad longest_load(const Plan& plan, const GameTime& game, bool solo) {
    TournamentLoad load;
    load.job_costs = job_costs_most;
    for (const auto& round : plan.rounds)
        load.rounds.push_back(load_of(round, static_cast<double>(round.matches.most),
                                      static_cast<double>(round.games.most), game, solo));
    return load;
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

// The least number of cores, with as many games at once, that halves what `time` says, which
// doesn't grow with cores; 0: none does.
template <typename Time>
std::size_t cores_to_halve(const Machine& machine, const Time& time) {
    const auto step = machine.job_cores.value_or(1);
    const double half = in_seconds(time(machine)) / 2 * nearly;
    const auto halves = [&](std::size_t cores) {
        return in_seconds(time(with_cores(machine, cores))) <= half;
    };
    auto too_few = machine.cores;
    auto enough = 2 * machine.cores;
    for (; !halves(enough); enough *= 2) {
        too_few = enough;
        if (enough >= cores_most) return 0;
    }
    while (enough - too_few > step) {
        const auto middle = too_few + (enough - too_few) / step / 2 * step;
        (halves(middle) ? enough : too_few) = middle;
    }
    return enough;
}

// What is known of a tournament and its games.
struct Known {
    Plan plan;
    Machine machine;
    bool solo = false;
    std::optional<GameTime> usual;
    std::vector<double> spread;  // of usual games
    std::optional<LongestGame> longest;
    Duration before{};  // its first game may begin, at most
    CurveBasis basis = CurveBasis::played;
    std::size_t thinks_at_once = 1;  // bots of a match
};

CurveTerms curve_terms(const Known& known) {
    CurveTerms terms{{}, {}, known.basis, known.machine, known.thinks_at_once};
    if (known.longest) {
        terms.longest = longest_load(known.plan, known.longest->game, known.solo);
        terms.longest->before = known.before;
    }
    if (known.usual) {
        terms.expected = expected_load(known.plan, *known.usual, known.solo);
        terms.expected->spread = known.spread;
    } else if (known.longest) {
        const auto& most = known.longest->game;
        terms.expected = expected_load(
            known.plan, {most.span * assumed_share, most.work * assumed_share}, known.solo);
        terms.expected->spread = assumed_spread();
        terms.basis = CurveBasis::assumed;
    }
    return terms;
}

void foretell(Forecast& forecast, const Known& known) {
    const auto terms = curve_terms(known);
    const auto worst = [&known, &terms](const Machine& machine) {
        if (machine.job_cores) return time_of(*terms.longest, machine);
        return known.before + duration_of(worst_time(known.plan, machine, known.longest->game));
    };
    const auto likely = [&terms](const Machine& machine) {
        return time_of(*terms.expected, machine);
    };
    forecast.best = duration_of(best_time(known.plan, known.machine));
    if (known.usual) forecast.likely = likely(known.machine);
    if (known.longest) {
        forecast.worst = worst(known.machine);
        forecast.turns_most = known.longest->turns;
    }
    if (!known.plan.launches || (!known.usual && !known.longest)) return;
    forecast.cores_to_halve =
        known.usual ? cores_to_halve(known.machine, likely) : cores_to_halve(known.machine, worst);
    forecast.curve = curve_of(terms);
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
            most = std::max(most, in_seconds(bot->start_within));
    }
    return most;
}

double start_of_all(const std::vector<const config::BotConfig*>& bots) {
    double most = 0;
    for (const auto* bot : bots) {
        if (bot->launched()) most = std::max(most, in_seconds(bot->start_within));
    }
    return most;
}

}  // namespace

Forecast forecast_of(const config::Config& config, const config::TournamentConfig& tournament,
                     const PlayedTimes& played, const Machine& machine,
                     std::optional<Duration> game_time) {
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
    const bool solo = tournament.match.solo;
    const bool simultaneous = game.info().simultaneous;
    Known known{std::move(plan), machine, solo, {}, {}, {}, {}, CurveBasis::played, 1};
    if (simultaneous && !solo) known.thinks_at_once = seats;
    known.longest = longest_game(tournament, game, seats, start_of_a_game(bots), all_launched);
    if (!machine.job_cores) known.before = duration_of(start_of_all(bots));
    if (game_time) {
        known.usual = told_game(*game_time, known.thinks_at_once);
        known.spread = assumed_spread();
        known.basis = CurveBasis::told;
    } else {
        known.usual = usual_game(tournament, field.entries, game, played, seats);
        known.spread = played.spread(tournament.game, simultaneous);
        if (known.usual) forecast.games_known = played.games(tournament.game);
    }
    foretell(forecast, known);
    return forecast;
}

}  // namespace referee::cli
