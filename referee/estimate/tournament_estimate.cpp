#include "referee/estimate/tournament_estimate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "protocol/base/find.h"
#include "referee/cluster/machines/job_size.h"
#include "referee/config/read_config.h"
#include "referee/tournament/config_limits.h"

namespace referee::estimate {
namespace {

using config::TournamentConfig;
using formats::Entry;

// What the referee itself needs for a game, in seconds: as was measured, and more than any should
// take (its record on a slow disk, its two lines to each bot).
constexpr double own_time_usual = 0.005;
constexpr double own_time_most = 0.25;
// What a job takes besides its games, in seconds: to be submitted and begun, to launch its bots,
// and until its result is looked for.
constexpr double job_costs_usual = 4.5;
constexpr double job_costs_most = 65;
// A hundred years: far from overflow.
constexpr double seconds_most = 100.0 * 365 * 24 * 3600;
constexpr double us_a_second = 1e6;
constexpr auto us_most = static_cast<std::int64_t>(seconds_most * us_a_second);
// More than any tournament has use for; and what more cores have to save, to count as help.
constexpr std::size_t cores_most = 1'000'000;
constexpr double saved_least = 0.01;

// The bots of a tournament, any of the config where the field is taken from a ladder. Launches are
// in seconds, at most.
struct Comers {
    std::size_t dial_in = 0;
    std::size_t launched = 0;
    double before = 0;     // the first game
    double each_game = 0;  // of bots that are launched anew for each
};

Comers comers_of(const config::Config& config, const TournamentConfig& tournament) {
    Comers comers;
    const auto add = [&comers](const config::BotConfig& bot) {
        ++(bot.launched() ? comers.launched : comers.dial_in);
        const auto start = bot.launched() ? in_seconds(bot.start_within) : 0;
        comers.before = std::max(comers.before, start);
        if (bot.lifetime != config::Lifetime::tournament)
            comers.each_game = std::max(comers.each_game, start);
    };
    for (const auto index : tournament.bots) add(config.bots[index]);
    if (tournament.bots.empty()) std::ranges::for_each(config.bots, add);
    return comers;
}

// One game, in seconds.
struct GameTime {
    double span = 0;  // from its beginning to its end, when all have the cores that they want
    double work = 0;  // of a core, for all its bots together and the referee
};

// Under a clock for the game all bots together have their budgets; else each turn has its own.
GameTime longest_game(const TournamentConfig& tournament, bool simultaneous, std::size_t seats,
                      std::int64_t turns, const Comers& comers) {
    using clock::ClockKind;
    const auto& clock = tournament.clock;
    const auto n = static_cast<double>(turns);
    const auto k = static_cast<double>(seats);
    const auto turn =
        clock.kind == ClockKind::turn ? std::max(clock.budget, clock.hard_limit) : clock.hard_limit;
    const auto ways =
        clock.allowance && comers.dial_in > 0 ? n * in_seconds(clock.allowance_max) : 0;
    const auto late = clock.waits_for_late ? k * in_seconds(clock.hung_after) : 0;
    auto thinking = n * in_seconds(turn) + ways + late;
    if (clock.kind == ClockKind::game && clock.measure == clock::Measure::wall) {
        const auto budgets = k * (in_seconds(clock.budget) + n * in_seconds(clock.increment));
        thinking = std::min(thinking, budgets + ways);
    }
    const auto ready = in_seconds(tournament.ready_budget) + comers.each_game;
    return {ready + thinking + own_time_most,
            k * ready + (simultaneous ? k : 1) * thinking + own_time_most};
}

GameTime usual_game(const PlayedTimes::OfGame& played, bool simultaneous, std::size_t seats) {
    const auto work = static_cast<double>(played.all_us) * static_cast<double>(seats) /
                      static_cast<double>(played.seats) / us_a_second;
    const auto longest =
        static_cast<double>(played.longest_us) / static_cast<double>(played.games) / us_a_second;
    return {(simultaneous ? longest : work) + own_time_usual, work + own_time_usual};
}

// How long all games need each of three things, in seconds. They take as long as the one that is
// needed longest, or longer; but never longer than all three together: until the last match of a
// round begins, each moment is one in which all cores think, or all games that may be are played,
// or a bot of that match is busy.
struct Needs {
    double cores = 0;
    double places = 0;
    double bots = 0;  // that play one game after the other

    Bottleneck longest() const {
        if (cores >= std::max(places, bots)) return Bottleneck::cores;
        return places > bots ? Bottleneck::games_at_once : Bottleneck::bots;
    }
};

Needs needs_of(double games, double chain, const GameTime& game, const EstimateMachine& machine,
               bool launches) {
    return {launches ? games * game.work / static_cast<double>(machine.cores) : 0,
            games * game.span / static_cast<double>(machine.games_at_once), chain * game.span};
}

// With what jobs take besides their games, one after the other at each place.
Duration with_jobs(double seconds, const EstimateMachine& machine, double job_costs) {
    if (machine.by_jobs)
        seconds += std::ceil(seconds / in_seconds(machines::job_time_aimed)) * job_costs;
    return std::chrono::duration_cast<Duration>(
        std::chrono::duration<double>(std::min(seconds, seconds_most)));
}

template <typename TimeOn>
std::vector<DurationEstimate::OnCores> on_cores(const EstimateMachine& machine,
                                                const TimeOn& time_on) {
    const auto on = [&](std::size_t cores) {
        const auto games = std::max<std::size_t>(1, cores * machine.games_at_once / machine.cores);
        return time_on(EstimateMachine{games, cores, machine.by_jobs});
    };
    const auto shortest = in_seconds(on(cores_most)) * (1 + saved_least);
    std::size_t enough = cores_most;
    for (std::size_t least = 1; least < enough;) {
        const auto middle = (least + enough) / 2;
        const bool is_enough = in_seconds(on(middle)) <= shortest;
        (is_enough ? enough : least) = is_enough ? middle : middle + 1;
    }
    std::vector<DurationEstimate::OnCores> times;
    for (std::size_t cores = 1; cores < enough; cores *= 2) times.push_back({cores, on(cores)});
    times.push_back({enough, on(enough)});
    return times;
}

// How many the config itself expects on a ladder; none where anybody may come by the password.
std::size_t expected_on(const config::Config& config, const std::string& ladder) {
    const auto& roster = config.registration.class_roster;
    if (config.registration.open() && !roster) return 0;
    std::set<std::string> names;
    for (const auto& tournament : config.tournaments)
        if (tournament.id == ladder)
            for (const auto index : tournament.bots) names.insert(config.bots[index].name);
    if (roster)
        for (const auto& student : roster->students()) names.insert(student.name);
    return names.size();
}

// Who takes part; an error says why nobody knows.
base::Result<std::vector<Entry>, std::string> field_of(const config::Config& config,
                                                       const TournamentConfig& tournament,
                                                       const PlayedTimes& played) {
    if (!tournament.field_from) {
        auto entries = config::entries_of(tournament, config.bots);
        if (entries.size() < 2 && tournament.starts_by_order)
            return base::failure(
                std::string("who takes part is known when the order to begin comes"));
        return entries;
    }
    const auto& from = *tournament.field_from;
    const auto* const entered = base::find_in(played.entrants, from.ladder);
    auto bots = entered == nullptr ? 0 : entered->size();
    if (bots == 0) bots = expected_on(config, from.ladder);
    if (!from.has_house) bots -= std::min(bots, tournament.house.size());
    if (from.best > 0) bots = bots == 0 ? from.best : std::min(bots, from.best);
    if (bots < 2)
        return base::failure("how many bots the ladder " + from.ladder +
                             " will have isn't known: --out may tell");
    std::vector<Entry> entries(bots);
    for (std::size_t i = 0; i < bots; ++i) entries[i].name = "#" + std::to_string(i + 1);
    return entries;
}

// How long it likely takes where games take as long as usual, on its machine and on others.
void estimate_likely(const TournamentCounts& count, const GameTime& usual, bool launches,
                     DurationEstimate& estimate) {
    // How many of the most games are played.
    const auto part =
        count.games_usual / static_cast<double>(std::max<std::uint64_t>(1, count.games.most));
    const auto needs_on = [&](const EstimateMachine& on) {
        return needs_of(count.games_usual, part * static_cast<double>(count.chain_most), usual, on,
                        launches);
    };
    // Each round waits for its last match.
    const auto time_on = [&](const EstimateMachine& on) {
        const auto at_once =
            on.by_jobs
                ? on.games_at_once
                : std::min(on.games_at_once, std::max<std::size_t>(1, estimate.bots / count.seats));
        double rounds = 0;
        for (const auto& [matches, games] : count.rounds)
            rounds += std::ceil(static_cast<double>(matches) / static_cast<double>(at_once)) *
                      static_cast<double>(games);
        const auto needs = needs_on(on);
        return with_jobs(
            std::max({needs.cores, needs.places, needs.bots, rounds * part * usual.span}), on,
            job_costs_usual);
    };
    estimate.likely = time_on(estimate.machine);
    estimate.bottleneck = needs_on(estimate.machine).longest();
    estimate.on_cores = on_cores(estimate.machine, time_on);
}

DurationEstimate unknown(const EstimateMachine& machine, std::string why) {
    DurationEstimate estimate;
    estimate.machine = machine;
    estimate.unknown = std::move(why);
    return estimate;
}

}  // namespace

EstimateMachine machine_of(const config::Config& config, const TournamentConfig& tournament) {
    const auto dial_in = tournament.bots.empty() && config.registration.open()
                             ? tournament::games_at_once_max
                             : comers_of(config, tournament).dial_in;
    if (config.machines && machines::may_play(config, tournament) && dial_in == 0) {
        const auto cores = config.machines->jobs_at_once * config.machines->cores;
        return {cores, cores, true};
    }
    // Whoever dials in plays one game at a time.
    const auto games = std::min(tournament::games_at_once(config),
                                tournament::launched_games_at_once(config) + dial_in);
    return {games, tournament::thinking_cores(config), false};
}

void PlayedTimes::take(const records::Record& record) {
    if (const auto* entry = std::get_if<records::EntryRecord>(&record))
        entrants[entry->tournament].insert(entry->bot);
    if (const auto* withdrawal = std::get_if<records::WithdrawalRecord>(&record))
        entrants[withdrawal->tournament].erase(withdrawal->bot);
    const auto* game = std::get_if<records::GameRecord>(&record);
    if (game == nullptr || game->result.status != GameStatus::played) return;
    const auto& used = game->result.used_us;
    if (used.empty()) return;
    auto& its = games[game->result.game];
    ++its.games;
    its.seats += used.size();
    // Other machines may tell any times.
    const auto add = [](std::int64_t& sum, std::int64_t more) {
        sum += std::min(more, us_most - sum);
    };
    add(its.all_us, std::accumulate(used.begin(), used.end(), std::int64_t{0}));
    add(its.longest_us, *std::ranges::max_element(used));
}

base::Result<PlayedTimes, store::StoreError> times_in(const std::string& store) {
    PlayedTimes times;
    return store::read_history(store, [&times](const auto& record) { times.take(record); })
        .map([&times] { return std::move(times); });
}

DurationEstimate estimate_of(const config::Config& config, const TournamentConfig& tournament,
                             const PlayedTimes& played, const EstimateMachine& machine,
                             std::optional<Duration> game_time) {
    if (!formats::traits_of(tournament.format).ends)
        return unknown(machine, "a ladder matches whoever is there, as long as it goes on");
    const auto field = field_of(config, tournament, played);
    if (!field) return unknown(machine, field.error());
    const auto registry = config::registry_for(tournament);
    if (!registry) return unknown(machine, registry.error().message);
    const auto& game = *(*registry)->find(tournament.game);
    const auto& info = game.info();
    const formats::GameSeats game_seats{info.seats_min, info.seats_max, info.seats_max == 1};
    if (!formats::check_format(tournament.format, *field, game_seats).empty())
        return unknown(machine, "its format doesn't fit so many bots");
    const auto count = counts_of(tournament, *field, machine.by_jobs);
    DurationEstimate estimate;
    estimate.machine = machine;
    estimate.bots = field->size();
    estimate.matches = count.matches;
    estimate.games = count.games;

    const auto comers = comers_of(config, tournament);
    const bool launches = comers.launched > 0;
    std::optional<GameTime> usual;
    if (game_time) {
        const auto span = in_seconds(*game_time);
        usual = {span, span * static_cast<double>(info.simultaneous ? count.seats : 1)};
    } else if (const auto* const known = base::find_in(played.games, tournament.game)) {
        usual = usual_game(*known, info.simultaneous, count.seats);
        estimate.games_known = known->games;
    }
    if (usual) estimate_likely(count, *usual, launches, estimate);
    estimate.turns_most = machines::turns_most(tournament, game, count.seats);
    if (!estimate.turns_most) return estimate;
    const auto longest =
        longest_game(tournament, info.simultaneous, count.seats, *estimate.turns_most, comers);
    const auto needs =
        needs_of(static_cast<double>(count.games.most),
                 static_cast<double>(count.seats * count.chain_most), longest, machine, launches);
    const auto before = machine.by_jobs ? 0 : comers.before;
    estimate.worst =
        with_jobs(before + needs.cores + needs.places + needs.bots, machine, job_costs_most);
    if (!usual) estimate.bottleneck = needs.longest();
    return estimate;
}

}  // namespace referee::estimate
