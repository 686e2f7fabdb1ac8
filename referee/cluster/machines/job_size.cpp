#include "referee/cluster/machines/job_size.h"

#include <algorithm>

#include "engines/registry.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "referee/cluster/machines/slurm.h"
#include "referee/config/read_config.h"
#include "referee/contest/formats/format.h"
#include "referee/contest/formats/match.h"

namespace referee::machines {
namespace {

// How much the last job says about the next one, against all before it.
constexpr double weight_of_last = 0.3;
// Sums of shares come to a whole only nearly.
constexpr double full = 1 - 1e-9;
// What is too short to be measured.
constexpr double seconds_least = 1e-3;

Duration turn_time_most(const clock::ClockConfig& clock) {
    const bool by_budget =
        clock.kind == clock::ClockKind::turn && clock.measure == clock::Measure::wall;
    return by_budget ? clock.budget : clock.hard_limit;
}

std::uint32_t extra_games_most(const formats::FormatConfig& format) {
    std::uint32_t most = 0;
    if (const auto* knockout = format.as<formats::KnockoutOptions>()) most = knockout->extra_games;
    for (const auto& stage : formats::stages_of(format))
        most = std::max(most, extra_games_most(stage.format));
    return most;
}

// To what a job is said to need, so that it is told to end before it is killed.
std::chrono::minutes added_by(const config::MachinesConfig& machines) {
    return machines.kind == config::MachinesKind::slurm ? slurm_end_minutes
                                                        : std::chrono::minutes(0);
}

}  // namespace

void Batching::learn(const std::vector<std::string>& tournaments, Duration took) {
    if (tournaments.empty()) return;
    const auto each =
        std::max(seconds_least, in_seconds(took) / static_cast<double>(tournaments.size()));
    for (const auto& tournament : std::set(tournaments.begin(), tournaments.end())) {
        auto& known = known_.try_emplace(tournament, Known{each, 0}).first->second;
        known.seconds += weight_of_last * (each - known.seconds);
        known.largest = std::max(known.largest, tournaments.size());
    }
}

std::size_t Batching::matches_of(const std::string& tournament) const {
    const auto found = known_.find(tournament);
    if (found == known_.end()) return cores_;
    const auto& known = found->second;
    const auto fit = static_cast<std::size_t>(in_seconds(job_time_aimed) / known.seconds);
    return std::clamp<std::size_t>(fit, 1,
                                   std::min(matches_of_job_most, growth_most * known.largest));
}

std::size_t Batching::matches_most() const {
    auto most = cores_;
    for (const auto& [tournament, known] : known_) most = std::max(most, matches_of(tournament));
    return most;
}

std::size_t Batching::next(const std::deque<scheduler::MatchTask>& waiting, std::size_t places,
                           std::size_t shared_by) const {
    const auto share = [&](std::size_t jobs) {
        return (waiting.size() + jobs - 1) / std::max<std::size_t>(jobs, 1);
    };
    const auto worth = full * in_seconds(job_time_worth) / in_seconds(job_time_aimed);
    double filled = 0;
    std::size_t count = 0;
    while (count < waiting.size() && count < share(places) && filled < full &&
           (count < share(shared_by) || filled < worth)) {
        filled += 1 / static_cast<double>(matches_of(waiting[count].key().tournament));
        ++count;
    }
    return std::min(count, matches_of_job_most);
}

std::optional<std::int64_t> turns_most(const config::TournamentConfig& tournament,
                                       const engines::Game& game, std::size_t seats) {
    std::int64_t most = 0;
    for (const auto& setup : tournament.setups) {
        const auto text = tournament.match.solo ? setup : formats::setup_for(game, setup, seats);
        protocol::json::Document params;
        if (!params.parse(text)) return std::nullopt;
        const auto begun = game.start(params.root(), 1);
        const auto turns = begun ? (*begun)->turns_most() : std::nullopt;
        if (!turns) return std::nullopt;
        most = std::max(most, *turns);
    }
    return most;
}

bool may_play(const config::Config& config, const config::TournamentConfig& tournament) {
    return !config.pseudonyms && !formats::traits_of(tournament.format).pairs_who_is_free;
}

namespace {

std::chrono::seconds match_time_most(const config::Config& config,
                                     const config::TournamentConfig& tournament) {
    const auto registry = config::registry_for(tournament);
    if (!registry) return job_time_most;
    const auto seats = std::max<std::size_t>(formats::seats_of(tournament.format), 2);
    const auto turns = turns_most(tournament, *(*registry)->find(tournament.game), seats);
    if (!turns) return job_time_most;
    Duration start{};
    for (const auto& bot : config.bots) start = std::max(start, bot.start_within);
    const auto k = static_cast<double>(tournament.match.solo ? 1 : seats);
    // Those that think at once may have to share a core.
    const auto each = [](Duration time) { return std::chrono::duration<double>(time); };
    const auto game = k * (each(start + tournament.ready_budget) +
                           static_cast<double>(*turns) * each(turn_time_most(tournament.clock)) +
                           each(tournament.clock.hung_after));
    const auto games = tournament.match.games + extra_games_most(tournament.format);
    const auto all = std::chrono::ceil<std::chrono::seconds>(static_cast<double>(games) * game);
    return std::min<std::chrono::seconds>(all, job_time_most);
}

}  // namespace

std::map<std::string, std::chrono::seconds, std::less<>> match_times(const config::Config& config) {
    std::map<std::string, std::chrono::seconds, std::less<>> times;
    for (const auto& tournament : config.tournaments)
        if (may_play(config, tournament))
            times[tournament.id] = match_time_most(config, tournament);
    return times;
}

std::chrono::seconds job_time_cap(const config::MachinesConfig& machines) {
    if (machines.time_max == Duration::zero()) return job_time_most;
    const auto whole = std::chrono::floor<std::chrono::minutes>(machines.time_max);
    const auto left = std::max(whole - added_by(machines), std::chrono::minutes(0));
    return std::min<std::chrono::seconds>(left, job_time_most);
}

std::string lack_of_job_time(const config::Config& config) {
    const auto& machines = *config.machines;
    const auto cap = job_time_cap(machines);
    for (const auto& [tournament, time] : match_times(config)) {
        // Without a cap whatever may take longer is cut off, as nobody can say what would do.
        if (machines.time_max == Duration::zero() || time + time_beside_games <= cap) continue;
        const auto needed =
            std::chrono::ceil<std::chrono::minutes>(time + time_beside_games) + added_by(machines);
        const auto shorter = "expected shorter budgets, fewer games in a match";
        if (time >= job_time_most)
            return "a match of \"" + tournament + "\" may last a day and longer by its budgets; " +
                   shorter + ", a game whose turns are counted, or no \"time_max\"";
        return fmt::format(
            "a match of \"{}\" may last {} minutes by its budgets, so its job {} (to begin, to "
            "write its result and to end too); {}, or machines whose jobs may last so long and "
            "\"time_max\": \"{}m\"",
            tournament, std::chrono::ceil<std::chrono::minutes>(time).count(), needed.count(),
            shorter, needed.count());
    }
    return {};
}

std::chrono::seconds job_time_of(const config::Config& config, std::size_t matches) {
    std::chrono::seconds longest{0};
    for (const auto& [tournament, time] : match_times(config)) longest = std::max(longest, time);
    return std::min<std::chrono::seconds>(
        static_cast<std::int64_t>(matches) * longest + time_beside_games,
        job_time_cap(*config.machines));
}

}  // namespace referee::machines
