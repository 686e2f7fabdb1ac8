#include "referee/office/report/ratings.h"

#include <algorithm>
#include <map>
#include <set>

#include "referee/contests/rating/random.h"
#include "referee/contests/tournament/evidence.h"
#include "referee/contests/tournament/match.h"

namespace referee::report {
namespace {

using standings::Entrant;
using standings::MatchResult;
using tournament::FormatKind;

constexpr std::uint64_t purpose_of_rank_draws = 6;
// So many matches are gone through in all, so that large fields stay cheap, in so many draws.
constexpr std::size_t matches_gone_through_about = 1'000'000;
constexpr std::size_t draws_least = 50;
constexpr std::size_t draws_most = 1000;
constexpr double halves_per_point = 2;

bool came(const MatchResult& match, std::size_t seat) {
    return match.absent.empty() || !match.absent[seat];
}

std::size_t seats_most(const Ledger& ledger) {
    std::size_t most = 0;
    for (const auto& match : ledger.results) most = std::max(most, match.seats.size());
    return most;
}

// The matches that tell something new, in their order.
using Told = std::vector<const MatchResult*>;

Told told_by(const Ledger& ledger) {
    const auto is_new = tournament::new_matches(ledger.results);
    Told told;
    for (std::size_t i = 0; i < is_new.size(); ++i) {
        if (is_new[i]) told.push_back(&ledger.results[i]);
    }
    return told;
}

rating::EloTable elo_of(const Ledger& ledger, const Told& told) {
    std::vector<rating::PairResult> pairs;
    for (const auto* match : told) {
        if (match->seats.size() != 2 || match->forfeit()) continue;
        pairs.push_back({match->seats[0], match->seats[1], tournament::share_of(*match, 0)});
    }
    return rating::elo_ratings(ledger.entries.size(), pairs);
}

void rate_pods(const Ledger& ledger, const Told& told, Ratings& ratings) {
    ratings.skills.resize(ledger.entries.size());
    for (const auto* match : told) {
        std::vector<rating::PlacedPlayer> placed;
        for (std::size_t seat = 0; seat < match->seats.size(); ++seat) {
            if (came(*match, seat)) placed.push_back({match->seats[seat], match->placing[seat]});
        }
        if (placed.size() < 2) continue;
        rating::rate_match(ratings.skills, placed);
        for (const auto& player : placed) ++ratings.rated[player.player];
    }
}

// The entrants that are ranked, numbered without gaps.
class Ranked {
 public:
    explicit Ranked(const Ledger& ledger) {
        const auto& fixed = tournament::fixed_opponents(ledger.config.format);
        for (Entrant entrant = 0; entrant < ledger.entries.size(); ++entrant) {
            const bool is_fixed = std::find(fixed.begin(), fixed.end(), entrant) != fixed.end();
            number_.push_back(is_fixed ? nobody : count_++);
        }
    }
    std::size_t count() const { return count_; }
    bool has(Entrant entrant) const { return number_[entrant] != nobody; }
    std::size_t operator[](Entrant entrant) const { return number_[entrant]; }

 private:
    static constexpr std::size_t nobody = SIZE_MAX;
    std::vector<std::size_t> number_;
    std::size_t count_ = 0;
};

std::vector<rating::MatchPoints> by_match(const Told& told, const Ranked& ranked) {
    std::vector<rating::MatchPoints> points;
    for (const auto* match : told) {
        rating::MatchPoints one;
        for (std::size_t seat = 0; seat < match->seats.size(); ++seat) {
            if (!ranked.has(match->seats[seat]) || !came(*match, seat)) continue;
            one.players.push_back(ranked[match->seats[seat]]);
            one.points.push_back(static_cast<double>(match->points[seat].in_halves()) /
                                 halves_per_point);
        }
        if (!one.players.empty()) points.push_back(std::move(one));
    }
    return points;
}

// A game of a leaderboard's list, which all bots play: the points of everybody in it.
struct ListedGame {
    rating::MatchPoints points;
    std::set<std::string> fingerprints;
};

std::vector<rating::MatchPoints> by_game(const Ledger& ledger, const Ranked& ranked) {
    std::map<std::uint32_t, ListedGame> listed;
    for (const auto& match : ledger.results) {
        for (const auto& game : match.counted) {
            const auto seats = match.seats.size();
            const auto number = ledger.config.match.solo
                                    ? (game.number - 1) / static_cast<std::uint32_t>(seats)
                                    : game.number;
            for (std::size_t seat = 0; seat < seats; ++seat) {
                if (!game.scores[seat] || !ranked.has(match.seats[seat]) || !came(match, seat))
                    continue;
                auto& [points, fingerprints] = listed[number];
                points.players.push_back(ranked[match.seats[seat]]);
                points.points.push_back(static_cast<double>(game.scores[seat]->in_halves()));
                fingerprints.insert(game.fingerprint);
            }
        }
    }
    tournament::Evidence evidence;
    std::vector<rating::MatchPoints> list;
    for (auto& [number, one] : listed) {
        if (evidence.is_new(std::move(one.fingerprints))) list.push_back(std::move(one.points));
    }
    return list;
}

void draw_ranks(const Ledger& ledger, const Told& told, Ratings& ratings) {
    const auto kind = ledger.config.format.kind();
    if (ledger.places || kind == FormatKind::knockout || kind == FormatKind::stages) return;
    const Ranked ranked(ledger);
    const auto drawn =
        kind == FormatKind::leaderboard ? by_game(ledger, ranked) : by_match(told, ranked);
    if (drawn.empty() || ranked.count() == 0) return;
    ratings.drawn_from = drawn.size();
    std::size_t places = 0;
    for (const auto& one : drawn) places += one.players.size();
    if (places < matches_a_bot_min * ranked.count()) return;
    ratings.draws = std::clamp(matches_gone_through_about / drawn.size(), draws_least, draws_most);
    const auto seed = rating::derived_seed(ledger.config.seed, purpose_of_rank_draws);
    const auto found = rating::rank_intervals(ranked.count(), drawn, seed, ratings.draws);
    rating::RankIntervals by_entrant;
    for (Entrant entrant = 0; entrant < ledger.entries.size(); ++entrant) {
        const bool has = ranked.has(entrant);
        by_entrant.intervals.push_back(has ? found.intervals[ranked[entrant]]
                                           : rating::RankInterval{});
        by_entrant.first_share.push_back(has ? found.first_share[ranked[entrant]] : 0);
    }
    ratings.ranks = std::move(by_entrant);
}

}  // namespace

Ratings ratings_of(const Ledger& ledger) {
    Ratings ratings;
    ratings.rated.assign(ledger.entries.size(), 0);
    const auto told = told_by(ledger);
    ratings.matches = ledger.results.size();
    ratings.distinct = told.size();
    const auto most = seats_most(ledger);
    if (most == 2) {
        ratings.elo = elo_of(ledger, told);
        for (std::size_t i = 0; i < ledger.entries.size(); ++i) {
            ratings.rated[i] = ratings.elo->ratings[i].matches;
        }
    } else if (most > 2) {
        rate_pods(ledger, told, ratings);
    }
    draw_ranks(ledger, told, ratings);
    if (const auto* bounds = tournament::sequential_test(ledger.config.format))
        ratings.sprt = tournament::gauntlet_test(*bounds, ledger.results);
    if (const auto* asked = ledger.config.format.as<tournament::AdaptiveOptions>())
        ratings.adaptive =
            tournament::adaptive_state(*asked, ledger.entries.size(), ledger.results);
    return ratings;
}

}  // namespace referee::report
