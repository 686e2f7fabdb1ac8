#include "referee/office/cli/game_count.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "referee/contests/tournament/adaptive.h"
#include "referee/contests/tournament/format.h"
#include "referee/contests/tournament/match.h"
#include "referee/contests/tournament/pods.h"
#include "referee/contests/tournament/terms.h"

namespace referee::cli {
namespace {

using tournament::Entry;
using tournament::FormatConfig;

// Counts the rounds of one format that isn't made of stages.
class RoundCount {
 public:
    RoundCount(const config::TournamentConfig& tournament, const FormatConfig& format,
               const std::vector<Entry>& entries)
        : match_(tournament.match),
          terms_(tournament::terms_of(format, tournament.seed)),
          format_(format),
          entries_(entries),
          seed_(tournament.seed) {}

    std::vector<CountedRound> rounds() && {
        std::visit([this](const auto& options) { count(options); }, format_.options);
        return std::move(rounds_);
    }

 private:
    void add(CountRange matches, std::size_t seats, std::uint64_t matches_most_of_one) {
        CountedRound round;
        round.matches = matches;
        round.bots = entries_.size();
        round.seats = seats;
        round.matches_most = matches_most_of_one;
        const std::uint64_t planned = tournament::games_planned(match_, seats);
        round.games_most = tournament::games_most(match_, seats, terms_);
        const auto least = match_.best_of ? planned / 2 + 1 : planned_least(planned);
        round.games = {matches.least * least, matches.most * round.games_most};
        round.games_usual = static_cast<double>(matches.least + matches.most) / 2 *
                            static_cast<double>(least + planned) / 2;
        rounds_.push_back(round);
    }
    // A pod of solo games may have fewer seats than the others.
    std::uint64_t planned_least(std::uint64_t planned) const {
        if (!match_.solo) return planned;
        return tournament::games_planned(match_, tournament::seats_min_of(format_));
    }
    void add_sure(std::uint64_t matches, std::size_t seats, std::uint64_t matches_most_of_one) {
        add({matches, matches}, seats, matches_most_of_one);
    }

    void count(const tournament::RoundRobinOptions& options) {
        const std::uint64_t n = entries_.size();
        if (options.seats == 2)
            return add_sure(n * (n - 1) / 2 * options.cycles, 2, (n - 1) * options.cycles);
        // The pods are drawn as in the tournament.
        const auto schedule = tournament::make_schedule(format_, entries_, seed_);
        std::vector<std::uint64_t> matches(entries_.size(), 0);
        std::uint64_t all = 0;
        for (;;) {
            const auto next = schedule->next();
            const auto* pairing = std::get_if<tournament::Pairing>(&next);
            if (pairing == nullptr && !std::holds_alternative<tournament::Bye>(next)) break;
            if (pairing == nullptr) continue;
            ++all;
            for (const auto entrant : pairing->seats) ++matches[entrant];
        }
        add_sure(all, options.seats, *std::max_element(matches.begin(), matches.end()));
    }
    void count(const tournament::LeaderboardOptions& options) {
        const auto ranked = entries_.size() - options.opponents.size();
        add_sure(ranked, 1 + options.opponents.size(), options.opponents.empty() ? 1 : ranked);
    }
    void count(const tournament::GauntletOptions& options) {
        const std::uint64_t most =
            (entries_.size() - 1) / (options.match_seats - 1) * std::uint64_t{options.cycles};
        add({options.sprt ? 1 : most, most}, options.match_seats, most);
    }
    void count(const tournament::SwissOptions& options) {
        const auto rounds = options.rounds > 0
                                ? options.rounds
                                : tournament::default_rounds(entries_.size(), options.seats);
        const auto kept_apart = options.keep_teams_apart ? largest_team() - 1 : 0;
        for (std::uint32_t round = 1; round <= rounds; ++round) {
            const auto here = static_cast<std::size_t>(
                std::count_if(entries_.begin(), entries_.end(),
                              [round](const auto& entry) { return plays(entry, round); }));
            const auto matches =
                options.seats == 2
                    ? here / 2
                    : tournament::pod_sizes(here, options.seats, options.seats_min).sizes.size();
            // Pairs may run out of opponents that they haven't met; pods meet again. While
            // everybody may still meet half of the others, all can be paired.
            const bool may_end_early =
                options.seats == 2 && 2 * (round + kept_apart) > entries_.size();
            add({may_end_early ? 0 : matches, matches}, options.seats, 1);
        }
    }
    // Who has no team is one of its own.
    std::size_t largest_team() const {
        std::map<std::string, std::size_t> sizes;
        std::size_t largest = 1;
        for (const auto& entry : entries_) {
            if (!entry.team.empty()) largest = std::max(largest, ++sizes[entry.team]);
        }
        return largest;
    }
    static bool plays(const Entry& entry, std::uint32_t round) {
        const auto& byes = entry.half_point_byes;
        return entry.first_round <= round && round <= entry.last_round &&
               std::find(byes.begin(), byes.end(), round) == byes.end();
    }
    void count(const tournament::KnockoutOptions& options) {
        const std::uint64_t n = entries_.size();
        auto places = std::bit_ceil(n);
        if (options.double_elimination) return count_double(n, options.second_final);
        // Those who have a bye in the first round play in the second.
        for (auto left = n; left > 1; places /= 2) {
            const auto matches = left - places / 2;
            const bool last = places == 2;
            add_sure(matches + (last && options.third_place_match && n > 3 ? 1 : 0), 2, 1);
            left = places / 2;
        }
    }
    // Everybody but the winner loses twice. Each round of the winners has up to two of the losers,
    // so that a tree of n has at most about twice as many rounds as one of a single elimination.
    void count_double(std::uint64_t n, bool second_final) {
        const std::uint64_t sure = 2 * n - 2;
        const auto rounds = 2 * static_cast<std::uint64_t>(std::bit_width(n - 1)) + 1;
        std::uint64_t counted = 0;
        for (std::uint64_t round = 1; round <= rounds; ++round) {
            const auto until = sure * round / rounds;
            add_sure(until - counted, 2, 1);
            counted = until;
        }
        if (second_final) add({0, 1}, 2, 1);
    }
    // It may be answered by a match, where bots only repeat it, and its rounds are drawn as it
    // goes: one bot may sit in each.
    void count(const tournament::AdaptiveOptions& options) {
        const auto most = tournament::adaptive_matches_most(options, entries_.size());
        add({1, most}, 2, most);
    }
    void count(const tournament::StagesOptions& /*are counted one by one*/) {}
    void count(const tournament::LadderOptions& /*has no end*/) {}

    const tournament::MatchConfig& match_;
    tournament::MatchTerms terms_;
    const FormatConfig& format_;
    const std::vector<Entry>& entries_;
    std::uint64_t seed_;
    std::vector<CountedRound> rounds_;
};

}  // namespace

std::vector<CountedRound> count_rounds(const config::TournamentConfig& tournament,
                                       const std::vector<Entry>& entries) {
    const auto stages = tournament::stages_of(tournament.format);
    if (stages.empty()) return RoundCount(tournament, tournament.format, entries).rounds();
    std::vector<CountedRound> all;
    auto field = entries;
    for (const auto& stage : stages) {
        if (stage.advance > 0 && stage.advance < field.size()) field.resize(stage.advance);
        // Who comes late or leaves early does so in the first stage.
        auto rounds = RoundCount(tournament, stage.format, field).rounds();
        all.insert(all.end(), rounds.begin(), rounds.end());
        for (auto& entry : field) {
            entry.first_round = 1;
            entry.last_round = UINT32_MAX;
            entry.half_point_byes.clear();
        }
    }
    return all;
}

}  // namespace referee::cli
