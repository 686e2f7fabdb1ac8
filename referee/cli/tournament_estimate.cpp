#include "referee/cli/tournament_estimate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>
#include <variant>

#include "referee/cluster/machines/job_size.h"
#include "referee/config/config.h"
#include "referee/config/reader.h"
#include "referee/contest/formats/format.h"
#include "referee/contest/formats/match.h"
#include "referee/contest/formats/pods.h"
#include "referee/contest/formats/schedules.h"

namespace referee::cli {
namespace {

using config::TournamentConfig;
using formats::Entry;
using formats::FormatConfig;

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

// ---- Matches and games -------------------------------------------------------------------------

struct Count {
    CountRange matches;
    CountRange games;
    double games_usual = 0;  // without those that only a level match has
    // That follow one another: a bot plays one at a time, and a round waits for the one before.
    std::uint64_t chain_most = 0;
    std::size_t seats = 1;  // of a game, at most
};

class Counter {
 public:
    // `by_jobs`: a bot plays in many jobs at the same time.
    Counter(const TournamentConfig& tournament, bool by_jobs)
        : tournament_(tournament), by_jobs_(by_jobs) {}

    Count count(std::vector<Entry> field) {
        const auto stages = formats::stages_of(tournament_.format);
        if (stages.empty()) count_format(tournament_.format, field);
        for (const auto& stage : stages) {
            if (stage.advance > 0 && stage.advance < field.size()) field.resize(stage.advance);
            count_format(stage.format, field);
            // Who comes late or leaves early does so in the first stage.
            for (auto& entry : field) {
                entry.first_round = 1;
                entry.last_round = UINT32_MAX;
                entry.half_point_byes.clear();
            }
        }
        return count_;
    }

 private:
    void count_format(const FormatConfig& format, const std::vector<Entry>& entries) {
        format_ = &format;
        entries_ = &entries;
        std::visit([this](const auto& options) { add_matches(options); }, format.options);
    }
    // `chain`: how many of them follow one another, at most.
    void add(CountRange matches, std::size_t seats, std::uint64_t chain) {
        if (matches.most == 0) return;
        const auto& match = tournament_.match;
        const std::uint64_t planned = formats::games_planned(match, seats);
        // A pod of solo games may have fewer seats than the others.
        const auto fewest = match.solo ? formats::seats_min_of(*format_) : seats;
        const std::uint64_t least =
            match.best_of ? planned / 2 + 1 : formats::games_planned(match, fewest);
        const std::uint64_t most =
            formats::games_most(match, seats, formats::terms_of(*format_, tournament_.seed));
        count_.matches += matches;
        count_.games += {matches.least * least, matches.most * most};
        count_.games_usual += static_cast<double>(matches.least + matches.most) / 2 *
                              static_cast<double>(least + planned) / 2;
        // The solo games of a match don't wait for each other.
        count_.chain_most += chain * most / (match.solo ? seats : 1);
        if (!match.solo) count_.seats = std::max(count_.seats, seats);
    }
    // The same of matches that wait for none of each other's results. A bot has so many of them.
    void add_round(CountRange matches, std::size_t seats, std::uint64_t of_one_bot) {
        add(matches, seats, by_jobs_ ? 1 : of_one_bot);
    }

    void add_matches(const formats::RoundRobinOptions& options) {
        const std::uint64_t n = entries_->size();
        const auto others = (n - 1) * options.cycles;
        if (options.seats == 2) return add_round({n * others / 2, n * others / 2}, 2, others);
        // How many pods there are is known when they are made.
        const auto schedule = formats::make_schedule(*format_, *entries_, tournament_.seed);
        std::vector<std::uint64_t> of_bot(n, 0);
        std::uint64_t pods = 0;
        for (;;) {
            const auto next = schedule->next();
            if (std::holds_alternative<formats::Bye>(next)) continue;
            const auto* pod = std::get_if<formats::Pairing>(&next);
            if (pod == nullptr) break;
            ++pods;
            for (const auto bot : pod->seats) ++of_bot[bot];
        }
        add_round({pods, pods}, options.seats, *std::max_element(of_bot.begin(), of_bot.end()));
    }
    void add_matches(const formats::LeaderboardOptions& options) {
        const auto against = options.opponents.size();
        const auto ranked = entries_->size() - against;
        add_round({ranked, ranked}, 1 + against, against == 0 ? 1 : ranked);
    }
    void add_matches(const formats::GauntletOptions& options) {
        const auto most = (entries_->size() - 1) / (options.match_seats - 1) * options.cycles;
        add_round({options.sprt ? 1 : most, most}, options.match_seats, most);
    }
    void add_matches(const formats::SwissOptions& options) {
        const auto n = entries_->size();
        const auto rounds =
            options.rounds > 0 ? options.rounds : formats::default_rounds(n, options.seats);
        const auto kept_apart = options.keep_teams_apart ? largest_team() - 1 : 0;
        for (std::uint32_t round = 1; round <= rounds; ++round) {
            const auto here = static_cast<std::size_t>(
                std::count_if(entries_->begin(), entries_->end(),
                              [round](const auto& entry) { return plays(entry, round); }));
            const auto matches =
                options.seats == 2
                    ? here / 2
                    : formats::pod_sizes(here, options.seats, options.seats_min).sizes.size();
            // Pairs may run out of opponents that they haven't met; pods meet again. While
            // everybody may still meet half of the others, all can be paired.
            const bool may_end_early = options.seats == 2 && 2 * (round + kept_apart) > n;
            add({may_end_early ? 0 : matches, matches}, options.seats, 1);
        }
    }
    // Who has no team is one of its own.
    std::size_t largest_team() const {
        std::map<std::string, std::size_t> sizes;
        std::size_t largest = 1;
        for (const auto& entry : *entries_) {
            if (!entry.team.empty()) largest = std::max(largest, ++sizes[entry.team]);
        }
        return largest;
    }
    static bool plays(const Entry& entry, std::uint32_t round) {
        const auto& byes = entry.half_point_byes;
        return entry.first_round <= round && round <= entry.last_round &&
               std::find(byes.begin(), byes.end(), round) == byes.end();
    }
    // All but the winner lose once, or twice. A tree in which they lose twice has at most twice as
    // many rounds, one more, and perhaps a second final.
    void add_matches(const formats::KnockoutOptions& options) {
        const std::uint64_t n = entries_->size();
        const auto rounds = static_cast<std::uint64_t>(std::bit_width(n - 1));
        if (options.double_elimination) {
            const std::uint64_t again = options.second_final ? 1 : 0;
            return add({2 * n - 2, 2 * n - 2 + again}, 2, 2 * rounds + 1 + again);
        }
        const auto matches = n - 1 + (options.third_place_match && n > 3 ? 1 : 0);
        add({matches, matches}, 2, rounds);
    }
    // It may be answered by a match, and one bot may sit in each.
    void add_matches(const formats::AdaptiveOptions& options) {
        const auto most = formats::adaptive_matches_most(options, entries_->size());
        add_round({1, most}, 2, most);
    }
    void add_matches(const formats::StagesOptions& /*are counted one by one*/) {}
    void add_matches(const formats::LadderOptions& /*has no end*/) {}

    const TournamentConfig& tournament_;
    bool by_jobs_;
    const FormatConfig* format_ = nullptr;
    const std::vector<Entry>* entries_ = nullptr;
    Count count_;
};

// ---- Time --------------------------------------------------------------------------------------

double in_seconds(Duration time) {
    return std::chrono::duration<double>(time).count();
}

Duration duration_of(double seconds) {
    return std::chrono::duration_cast<Duration>(
        std::chrono::duration<double>(std::min(seconds, seconds_most)));
}

// One game, in seconds.
struct GameTime {
    double span = 0;  // from its beginning to its end, when all have the cores that they want
    double work = 0;  // of a core, for all its bots together and the referee
};

// Who launches the bots, and how long that may take, in seconds.
struct Launches {
    bool some = false;
    bool all = true;
    double before = 0;     // the first game
    double each_game = 0;  // of bots that are launched anew for each
};

// The bots of a tournament whose field is taken from a ladder may be any.
Launches launches_of(const config::Config& config, const TournamentConfig& tournament) {
    Launches launches;
    const auto take = [&launches](const config::BotConfig& bot) {
        (bot.launched() ? launches.some : launches.all) = bot.launched();
        if (!bot.launched()) return;
        const auto start = in_seconds(bot.start_within);
        launches.before = std::max(launches.before, start);
        if (bot.lifetime != config::Lifetime::tournament)
            launches.each_game = std::max(launches.each_game, start);
    };
    for (const auto index : tournament.bots) take(config.bots[index]);
    if (tournament.bots.empty()) std::for_each(config.bots.begin(), config.bots.end(), take);
    return launches;
}

// Under a clock for the game all bots together have their budgets; else each turn has its own.
GameTime longest_game(const TournamentConfig& tournament, bool simultaneous, std::size_t seats,
                      std::int64_t turns, const Launches& launches) {
    using clock::ClockKind;
    const auto& clock = tournament.clock;
    const auto n = static_cast<double>(turns);
    const auto k = static_cast<double>(seats);
    const auto turn =
        clock.kind == ClockKind::turn ? std::max(clock.budget, clock.hard_limit) : clock.hard_limit;
    const auto ways = clock.allowance && !launches.all ? n * in_seconds(clock.allowance_max) : 0;
    const auto late = clock.waits_for_late ? k * in_seconds(clock.hung_after) : 0;
    auto thinking = n * in_seconds(turn) + ways + late;
    if (clock.kind == ClockKind::game && clock.measure == clock::Measure::wall) {
        const auto budgets = k * (in_seconds(clock.budget) + n * in_seconds(clock.increment));
        thinking = std::min(thinking, budgets + ways);
    }
    const auto ready = in_seconds(tournament.ready_budget) + launches.each_game;
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

    double longest() const { return std::max({cores, places, bots}); }
    double sum() const { return cores + places + bots; }
    Bottleneck bottleneck() const {
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
    if (!machine.by_jobs) return duration_of(seconds);
    const auto jobs = std::ceil(seconds / in_seconds(machines::job_time_aimed));
    return duration_of(seconds + jobs * job_costs);
}

struct Field {
    std::vector<Entry> entries;
    std::string unknown;
};

Field field_of(const config::Config& config, const TournamentConfig& tournament,
               const PlayedTimes& played) {
    if (!tournament.field_from) {
        Field field{config::entries_of(tournament, config.bots), {}};
        if (field.entries.size() < 2 && tournament.starts_by_order)
            field.unknown = "who takes part is known when the order to begin comes";
        return field;
    }
    const auto& from = *tournament.field_from;
    auto bots = played.entrants(from.ladder);
    if (!from.has_house) bots -= std::min(bots, tournament.house.size());
    if (from.best > 0) bots = bots == 0 ? from.best : std::min(bots, from.best);
    if (bots < 2) return {{}, "how many bots the ladder " + from.ladder + " will have isn't known"};
    Field field{std::vector<Entry>(bots), {}};
    for (std::size_t i = 0; i < bots; ++i) field.entries[i].name = "#" + std::to_string(i + 1);
    return field;
}

}  // namespace

void PlayedTimes::take(const records::Record& record) {
    if (const auto* entry = std::get_if<records::EntryRecord>(&record))
        entrants_[entry->tournament].insert(entry->bot);
    if (const auto* withdrawal = std::get_if<records::WithdrawalRecord>(&record))
        entrants_[withdrawal->tournament].erase(withdrawal->bot);
    const auto* game = std::get_if<records::GameRecord>(&record);
    if (game == nullptr || game->result.status != GameStatus::played) return;
    const auto& used = game->result.used_us;
    if (used.empty()) return;
    auto& its = games_[game->result.game];
    ++its.games;
    its.seats += used.size();
    its.all_us += std::accumulate(used.begin(), used.end(), std::int64_t{0});
    its.longest_us += *std::max_element(used.begin(), used.end());
}

PlayedTimes::OfGame PlayedTimes::of(std::string_view game) const {
    const auto found = games_.find(game);
    return found == games_.end() ? OfGame{} : found->second;
}

std::size_t PlayedTimes::entrants(std::string_view tournament) const {
    const auto found = entrants_.find(tournament);
    return found == entrants_.end() ? 0 : found->second.size();
}

DurationEstimate estimate_of(const config::Config& config, const TournamentConfig& tournament,
                             const PlayedTimes& played, const EstimateMachine& machine,
                             std::optional<Duration> game_time) {
    DurationEstimate estimate;
    estimate.machine = machine;
    if (!formats::traits_of(tournament.format).ends) {
        estimate.unknown = "a ladder goes on without end";
        return estimate;
    }
    const auto field = field_of(config, tournament, played);
    const auto registry = config::registry_for(tournament);
    if (!field.unknown.empty() || !registry) {
        estimate.unknown = field.unknown.empty() ? registry.error().message : field.unknown;
        return estimate;
    }
    const auto& game = *(*registry)->find(tournament.game);
    const auto& info = game.info();
    const formats::GameSeats game_seats{info.seats_min, info.seats_max, info.seats_max == 1};
    if (!formats::check_format(tournament.format, field.entries, game_seats).empty()) {
        estimate.unknown = "its format doesn't fit so many bots";
        return estimate;
    }
    const auto count = Counter(tournament, machine.by_jobs).count(field.entries);
    estimate.bots = field.entries.size();
    estimate.matches = count.matches;
    estimate.games = count.games;

    const auto launches = launches_of(config, tournament);
    const auto known = played.of(tournament.game);
    std::optional<GameTime> usual;
    if (game_time) {
        const auto span = in_seconds(*game_time);
        usual = {span, span * static_cast<double>(info.simultaneous ? count.seats : 1)};
    } else if (known.games > 0) {
        usual = usual_game(known, info.simultaneous, count.seats);
        estimate.games_known = known.games;
    }
    if (usual) {
        const auto chain = static_cast<double>(count.chain_most) * count.games_usual /
                           static_cast<double>(std::max<std::uint64_t>(1, count.games.most));
        const auto needs = needs_of(count.games_usual, chain, *usual, machine, launches.some);
        estimate.likely = with_jobs(needs.longest(), machine, job_costs_usual);
        estimate.bottleneck = needs.bottleneck();
    }
    estimate.turns_most = machines::turns_most(tournament, game, count.seats);
    if (!estimate.turns_most) return estimate;
    const auto longest =
        longest_game(tournament, info.simultaneous, count.seats, *estimate.turns_most, launches);
    const auto needs = needs_of(static_cast<double>(count.games.most),
                                static_cast<double>(count.seats * count.chain_most), longest,
                                machine, launches.some);
    const auto before = machine.by_jobs ? 0 : launches.before;
    estimate.worst = with_jobs(before + needs.sum(), machine, job_costs_most);
    if (!usual) estimate.bottleneck = needs.bottleneck();
    return estimate;
}

}  // namespace referee::cli
