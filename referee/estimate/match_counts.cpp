#include "referee/estimate/tournament_estimate.h"

#include <algorithm>
#include <bit>

#include "protocol/base/overloaded.h"
#include "referee/contest/formats/adaptive.h"
#include "referee/contest/formats/match.h"
#include "referee/contest/formats/pods.h"

namespace referee::estimate {
namespace {

using formats::Entry;
using formats::FormatConfig;

// The matches of a format.
struct FormatCounts {
    CountRange matches;
    std::size_t seats = 2;
    std::uint64_t chain = 0;            // so many follow one another, at most
    std::vector<std::uint64_t> rounds;  // of each, how many matches at most
};

// Of matches that wait for none of each other's results. A bot has so many of them.
FormatCounts one_round(CountRange matches, std::size_t seats, std::uint64_t of_one_bot) {
    return {matches, seats, of_one_bot, {matches.most}};
}

FormatCounts count(const formats::RoundRobinOptions& its, const FormatConfig& format,
                   const std::vector<Entry>& entries, std::uint64_t seed) {
    const std::uint64_t n = entries.size();
    const auto others = (n - 1) * its.cycles;
    if (its.seats == 2) return one_round({n * others / 2, n * others / 2}, 2, others);
    // How many pods there are is known when they are made.
    const auto schedule = formats::make_schedule(format, entries, seed);
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
    return one_round({pods, pods}, its.seats, *std::ranges::max_element(of_bot));
}

FormatCounts count(const formats::SwissOptions& its, const std::vector<Entry>& entries) {
    const auto n = entries.size();
    std::map<std::string, std::size_t> teams;  // who has no team is one of its own
    std::size_t largest = 1;
    for (const auto& entry : entries)
        if (!entry.team.empty()) largest = std::max(largest, ++teams[entry.team]);
    const auto kept_apart = its.keep_teams_apart ? largest - 1 : 0;
    FormatCounts all{{}, its.seats, 0, {}};
    for (std::uint32_t round = 1; round <= formats::rounds_of(its, n); ++round) {
        const auto here = static_cast<std::size_t>(std::ranges::count_if(
            entries, [round](const auto& entry) { return entry.plays(round); }));
        const auto matches = its.seats == 2
                                 ? here / 2
                                 : formats::pod_sizes(here, its.seats, its.seats_min).sizes.size();
        if (matches == 0) continue;
        // Pairs may run out of opponents that they haven't met; pods meet again. While everybody
        // may still meet half of the others, all can be paired.
        const bool may_end_early = its.seats == 2 && 2 * (round + kept_apart) > n;
        all.matches += {may_end_early ? 0 : matches, matches};
        all.rounds.push_back(matches);
    }
    all.chain = all.rounds.size();
    return all;
}

// All but the winner lose once, or twice. A tree in which they lose twice has at most twice as many
// rounds, one more, and perhaps a second final.
FormatCounts count(const formats::KnockoutOptions& its, std::uint64_t n) {
    std::vector<std::uint64_t> rounds{n - std::bit_floor(n - 1)};
    for (auto left = std::bit_floor(n - 1); left > 1; left /= 2) rounds.push_back(left / 2);
    const std::uint64_t depth = rounds.size();
    if (its.double_elimination) {
        const std::uint64_t again = its.second_final ? 1 : 0;
        // No round of those who lost once has more matches than the one that they lost in.
        rounds.resize(2 * depth);
        std::copy_n(rounds.begin(), depth, rounds.begin() + static_cast<std::ptrdiff_t>(depth));
        return {{2 * n - 2, 2 * n - 2 + again}, 2, 2 * depth + 1 + again, rounds};
    }
    const std::uint64_t third = its.third_place_match && n > 3 ? 1 : 0;
    rounds.back() += third;
    return {{n - 1 + third, n - 1 + third}, 2, depth, rounds};
}

FormatCounts count(const FormatConfig& format, const std::vector<Entry>& entries,
                   std::uint64_t seed) {
    const std::uint64_t n = entries.size();
    return std::visit(
        base::Overloaded{
            [&](const formats::RoundRobinOptions& its) {
                return count(its, format, entries, seed);
            },
            [&](const formats::SwissOptions& its) { return count(its, entries); },
            [&](const formats::KnockoutOptions& its) { return count(its, n); },
            [&](const formats::LeaderboardOptions& its) {
                const auto against = its.opponents.size();
                const auto ranked = n - against;
                return one_round({ranked, ranked}, 1 + against, against == 0 ? 1 : ranked);
            },
            [&](const formats::GauntletOptions& its) {
                const auto most = (n - 1) / (its.match_seats - 1) * its.cycles;
                return one_round({its.sprt ? 1 : most, most}, its.match_seats, most);
            },
            // It may be answered by a match, and one bot may sit in each.
            [&](const formats::AdaptiveOptions& its) {
                const auto most = formats::adaptive_matches_most(its, n);
                return one_round({1, most}, 2, most);
            },
            [](const auto& /*its stages are counted one by one, or it has no end*/) {
                return FormatCounts();
            },
        },
        format.options);
}

}  // namespace

TournamentCounts counts_of(const config::TournamentConfig& tournament, std::vector<Entry> field,
                           bool by_jobs) {
    TournamentCounts all;
    const auto add = [&](const FormatConfig& format) {
        const auto its = count(format, field, tournament.seed);
        if (its.matches.most == 0) return;
        const auto& match = tournament.match;
        const std::uint64_t planned = formats::games_planned(match, its.seats);
        // A pod of solo games may have fewer seats than the others.
        const auto fewest = match.solo ? formats::seats_min_of(format) : its.seats;
        const std::uint64_t least =
            match.best_of ? planned / 2 + 1 : formats::games_planned(match, fewest);
        const std::uint64_t most =
            formats::games_most(match, its.seats, formats::terms_of(format, tournament.seed));
        all.matches += its.matches;
        all.games += {its.matches.least * least, its.matches.most * most};
        all.games_usual += static_cast<double>(its.matches.least + its.matches.most) / 2 *
                           static_cast<double>(least + planned) / 2;
        const auto chain = by_jobs && its.rounds.size() == 1 ? 1 : its.chain;
        // The solo games of a match don't wait for each other.
        all.chain_most += chain * most / (match.solo ? its.seats : 1);
        if (!match.solo) all.seats = std::max(all.seats, its.seats);
        for (const auto matches : its.rounds)
            all.rounds.emplace_back(match.solo ? matches * most : matches, match.solo ? 1 : most);
    };
    const auto stages = formats::stages_of(tournament.format);
    if (stages.empty()) add(tournament.format);
    for (const auto& stage : stages) {
        if (stage.advance > 0 && stage.advance < field.size()) field.resize(stage.advance);
        add(stage.format);
        // Who comes late or leaves early does so in the first stage.
        for (auto& entry : field) entry.take_part_in_all();
    }
    return all;
}

}  // namespace referee::estimate
