#include "referee/estimate/tournament_estimate.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <variant>

#include "referee/contest/formats/adaptive.h"
#include "referee/contest/formats/match.h"
#include "referee/contest/formats/pods.h"

namespace referee::estimate {
namespace {

using config::TournamentConfig;
using formats::Entry;
using formats::FormatConfig;

class MatchCounter {
 public:
    MatchCounter(const TournamentConfig& tournament, bool by_jobs)
        : tournament_(tournament), by_jobs_(by_jobs) {}

    MatchCounts count(std::vector<Entry> field) {
        const auto stages = formats::stages_of(tournament_.format);
        if (stages.empty()) count_format(tournament_.format, field);
        for (const auto& stage : stages) {
            if (stage.advance > 0 && stage.advance < field.size()) field.resize(stage.advance);
            count_format(stage.format, field);
            // Who comes late or leaves early does so in the first stage.
            for (auto& entry : field) entry.take_part_in_all();
        }
        return count_;
    }

 private:
    void count_format(const FormatConfig& format, const std::vector<Entry>& entries) {
        format_ = &format;
        entries_ = &entries;
        std::visit([this](const auto& options) { add_matches(options); }, format.options);
    }
    // `chain`: how many of them follow one another, at most. `rounds`: the matches of each.
    void add(CountRange matches, std::size_t seats, std::uint64_t chain,
             const std::vector<std::uint64_t>& rounds) {
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
        for (const auto size : rounds)
            count_.rounds.push_back(match.solo ? MatchCounts::Round{size * most, 1}
                                               : MatchCounts::Round{size, most});
    }
    // The same of matches that wait for none of each other's results. A bot has so many of them.
    void add_round(CountRange matches, std::size_t seats, std::uint64_t of_one_bot) {
        add(matches, seats, by_jobs_ ? 1 : of_one_bot, {matches.most});
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
        add_round({pods, pods}, options.seats, *std::ranges::max_element(of_bot));
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
        const auto rounds = formats::rounds_of(options, n);
        const auto kept_apart = options.keep_teams_apart ? largest_team() - 1 : 0;
        for (std::uint32_t round = 1; round <= rounds; ++round) {
            const auto here = static_cast<std::size_t>(std::ranges::count_if(
                *entries_, [round](const auto& entry) { return entry.plays(round); }));
            const auto matches =
                options.seats == 2
                    ? here / 2
                    : formats::pod_sizes(here, options.seats, options.seats_min).sizes.size();
            // Pairs may run out of opponents that they haven't met; pods meet again. While
            // everybody may still meet half of the others, all can be paired.
            const bool may_end_early = options.seats == 2 && 2 * (round + kept_apart) > n;
            add({may_end_early ? 0 : matches, matches}, options.seats, 1, {matches});
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
    // All but the winner lose once, or twice. A tree in which they lose twice has at most twice as
    // many rounds, one more, and perhaps a second final.
    void add_matches(const formats::KnockoutOptions& options) {
        const std::uint64_t n = entries_->size();
        const auto rounds = static_cast<std::uint64_t>(std::bit_width(n - 1));
        std::vector<std::uint64_t> sizes{n - std::bit_floor(n - 1)};
        for (auto left = std::bit_floor(n - 1); left > 1; left /= 2) sizes.push_back(left / 2);
        if (options.double_elimination) {
            const std::uint64_t again = options.second_final ? 1 : 0;
            // No round of those who lost once has more matches than the one that they lost in.
            const auto lost_in = sizes;
            sizes.insert(sizes.end(), lost_in.begin(), lost_in.end());
            return add({2 * n - 2, 2 * n - 2 + again}, 2, 2 * rounds + 1 + again, sizes);
        }
        const std::uint64_t third = options.third_place_match && n > 3 ? 1 : 0;
        sizes.back() += third;
        add({n - 1 + third, n - 1 + third}, 2, rounds, sizes);
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
    MatchCounts count_;
};

}  // namespace

MatchCounts count_matches(const TournamentConfig& tournament, std::vector<Entry> field,
                          bool by_jobs) {
    return MatchCounter(tournament, by_jobs).count(std::move(field));
}

}  // namespace referee::estimate
