#include "referee/contest/rating/rating_network.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "protocol/base/assertion.h"
#include "referee/contest/rating/triangle.h"

namespace referee::rating {

RatingNetwork::RatingNetwork(std::vector<double> own, std::vector<RatedPair> pairs,
                             std::span<const RatedMeeting> meetings)
    : own_(std::move(own)), pairs_(std::move(pairs)), diagonal_(own_) {
    for (const auto& [a, b, weight] : pairs_) {
        diagonal_[a] += weight;
        diagonal_[b] += weight;
    }
    for (const auto& [players, weight] : meetings) {
        members_.insert(members_.end(), players.begin(), players.end());
        const double each = 1 / static_cast<double>(players.size());
        meetings_.push_back({members_.size(), weight, each});
        for (const auto player : players) diagonal_[player] += weight * (1 - each);
    }
}

void RatingNetwork::set_own(double own) {
    for (std::size_t i = 0; i < own_.size(); ++i) {
        diagonal_[i] += own - own_[i];
        own_[i] = own;
    }
}

std::vector<double> RatingNetwork::times(const std::vector<double>& x) const {
    std::vector<double> result(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) result[i] = own_[i] * x[i];
    for (const auto& [a, b, weight] : pairs_) {
        const double pull = weight * (x[a] - x[b]);
        result[a] += pull;
        result[b] -= pull;
    }
    std::size_t begin = 0;
    for (const auto& meeting : meetings_) {
        double sum = 0;
        for (auto i = begin; i < meeting.end; ++i) sum += x[members_[i]];
        const double mean = sum * meeting.each;
        for (auto i = begin; i < meeting.end; ++i)
            result[members_[i]] += meeting.weight * (x[members_[i]] - mean);
        begin = meeting.end;
    }
    return result;
}

std::vector<double> RatingNetwork::rows() const {
    const std::size_t n = own_.size();
    std::vector<double> rows(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) rows[i * n + i] = diagonal_[i];
    for (const auto& [a, b, weight] : pairs_) {
        rows[a * n + b] -= weight;
        rows[b * n + a] -= weight;
    }
    std::size_t begin = 0;
    for (const auto& meeting : meetings_) {
        for (auto i = begin; i < meeting.end; ++i) {
            for (auto j = begin; j < meeting.end; ++j) {
                if (i != j) rows[members_[i] * n + members_[j]] -= meeting.weight * meeting.each;
            }
        }
        begin = meeting.end;
    }
    return rows;
}

// Conjugate gradients, each player's steps scaled by its own diagonal.
std::vector<double> RatingNetwork::solved(const std::vector<double>& right, double but_for) const {
    constexpr std::size_t rounds_a_player = 4;
    constexpr std::size_t rounds_least = 50;
    const std::size_t n = right.size();
    std::vector<double> x(n, 0.0);
    std::vector<double> left = right;  // the part of `right` that x doesn't make yet
    std::vector<double> scaled(n);
    for (std::size_t i = 0; i < n; ++i) scaled[i] = left[i] / diagonal_[i];
    std::vector<double> direction = scaled;
    double size = dot(left, scaled);
    const double target = size * but_for * but_for;
    const std::size_t rounds = rounds_least + rounds_a_player * n;
    for (std::size_t round = 0; round < rounds && size > target; ++round) {
        const auto image = times(direction);
        const double step = size / dot(direction, image);
        for (std::size_t i = 0; i < n; ++i) {
            x[i] += step * direction[i];
            left[i] -= step * image[i];
            scaled[i] = left[i] / diagonal_[i];
        }
        const double before = std::exchange(size, dot(left, scaled));
        for (std::size_t i = 0; i < n; ++i) direction[i] = scaled[i] + size / before * direction[i];
    }
    return x;
}

std::vector<double> RatingNetwork::drawn(Random& random) const {
    std::vector<double> result(own_.size());
    for (std::size_t i = 0; i < own_.size(); ++i) result[i] = std::sqrt(own_[i]) * random.normal();
    for (const auto& [a, b, weight] : pairs_) {
        const double lot = std::sqrt(weight) * random.normal();
        result[a] += lot;
        result[b] -= lot;
    }
    std::vector<double> lots;
    std::size_t begin = 0;
    for (const auto& meeting : meetings_) {
        const double scale = std::sqrt(meeting.weight);
        lots.clear();
        double sum = 0;
        for (auto i = begin; i < meeting.end; ++i) sum += lots.emplace_back(random.normal());
        const double mean = sum * meeting.each;
        for (auto i = begin; i < meeting.end; ++i)
            result[members_[i]] += scale * (lots[i - begin] - mean);
        begin = meeting.end;
    }
    return result;
}

ConnectedGroups groups_of(std::size_t players, std::span<const RatedPair> pairs) {
    std::vector<std::size_t> leader(players);
    std::iota(leader.begin(), leader.end(), std::size_t{0});
    const auto leader_of = [&leader](std::size_t player) {
        while (leader[player] != player) player = leader[player] = leader[leader[player]];
        return player;
    };
    for (const auto& pair : pairs) leader[leader_of(pair.b)] = leader_of(pair.a);
    ConnectedGroups groups;
    groups.of.resize(players);
    std::vector<std::size_t> number(players, players);  // by leader; none yet
    for (std::size_t player = 0; player < players; ++player) {
        auto& its = number[leader_of(player)];
        if (its == players) its = groups.count++;
        groups.of[player] = its;
    }
    return groups;
}

namespace {

constexpr double outside_each_end = 0.025;

// What is assumed of a variance (of luck, or of strengths) before any match: it weighs like so many
// values that have this variance, in units of the variance of all points.
struct Before {
    double values;
    double variance;
};
constexpr Before luck_before{2, 1};
constexpr Before spread_before{1, 0.1};

// Draws strengths, and by turns with them the two variances (Gibbs' sampler).
class Strengths {
 public:
    Strengths(std::size_t players, std::span<const RatedMatchPoints> matches, std::uint64_t seed)
        : random_(seed), pull_(players, 0.0), played_(players, false) {
        Met met;
        for (const auto& match : matches) take(match, met);
        std::vector<RatedMeeting> meetings;
        for (const auto& [who, times] : met.more) meetings.push_back({who, times});
        network_.emplace(std::vector<double>(players, 0.0), counted(std::move(met.pairs)),
                         meetings);
        if (squares_ > 0 && values_ > 0) unit_ = squares_ / values_;
        luck_ = luck_before.variance * unit_;
        spread_ = spread_before.variance * unit_;
    }

    bool played(std::size_t player) const { return played_[player]; }

    // Draws strengths exactly from their distribution, given the variances: it draws a right side
    // whose solution scatters as the strengths do.
    std::vector<double> next() {
        const double ratio = luck_ / spread_;
        network_->set_own(ratio);
        auto right = network_->drawn(random_);
        const double scale = std::sqrt(luck_);
        for (std::size_t i = 0; i < right.size(); ++i) right[i] = scale * right[i] + pull_[i];
        auto strengths = network_->solved(right, for_a_draw);
        const auto image = network_->times(strengths);
        double explained = 0;  // of the points' squares
        double squares = 0;    // of the strengths
        for (std::size_t i = 0; i < strengths.size(); ++i) {
            explained -= strengths[i] * (image[i] - ratio * strengths[i] - 2 * pull_[i]);
            squares += strengths[i] * strengths[i];
        }
        luck_ = drawn_variance(luck_before, std::max(squares_ - explained, 0.0), values_);
        spread_ = drawn_variance(spread_before, squares, static_cast<double>(strengths.size()));
        return strengths;
    }

 private:
    // The players that met, in no order.
    struct Met {
        std::vector<std::pair<std::size_t, std::size_t>> pairs;
        std::map<std::vector<std::size_t>, double> more;
    };

    // Points count against the mean of the match: the match's level says nothing of any player.
    void take(const RatedMatchPoints& match, Met& met) {
        const auto size = match.players.size();
        if (size == 0) return;
        const double mean = std::accumulate(match.points.begin(), match.points.end(), 0.0) /
                            static_cast<double>(size);
        for (std::size_t i = 0; i < size; ++i) {
            const double points = match.points[i] - mean;
            pull_[match.players[i]] += points;
            squares_ += points * points;
            played_[match.players[i]] = true;
        }
        values_ += static_cast<double>(size - 1);
        if (size == 2) {
            met.pairs.emplace_back(std::minmax(match.players[0], match.players[1]));
            return;
        }
        auto who = match.players;
        std::ranges::sort(who);
        met.more[std::move(who)] += 1;
    }

    // Each pair once. The scatter of a meeting of two is half of the squared difference.
    static std::vector<RatedPair> counted(std::vector<std::pair<std::size_t, std::size_t>> met) {
        constexpr double half = 0.5;
        std::ranges::sort(met);
        std::vector<RatedPair> pairs;
        for (const auto& [a, b] : met) {
            if (pairs.empty() || pairs.back().a != a || pairs.back().b != b)
                pairs.push_back({a, b, 0});
            pairs.back().weight += half;
        }
        return pairs;
    }

    double drawn_variance(const Before& before, double squares, double values) {
        const double sum = before.values * before.variance * unit_ + squares;
        return sum / (2 * random_.gamma((before.values + values) / 2));
    }

    Random random_;
    std::vector<double> pull_;  // by player: its points against its matches' means
    std::vector<bool> played_;
    std::optional<RatingNetwork> network_;
    double squares_ = 0;  // of all points against their matches' means
    double values_ = 0;   // how many of them are free
    double unit_ = 1;
    double luck_ = 1;  // variances
    double spread_ = 1;
};

// Ranks by strength; players without a match come last.
std::vector<std::size_t> ranks_of(const std::vector<double>& strengths, const Strengths& of) {
    std::vector<std::size_t> order(strengths.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        if (of.played(a) != of.played(b)) return of.played(a);
        return of.played(a) && strengths[a] > strengths[b];
    });
    std::vector<std::size_t> ranks(strengths.size(), 1);
    for (std::size_t i = 1; i < order.size(); ++i) {
        const bool level = !of.played(order[i - 1]);
        ranks[order[i]] = level ? ranks[order[i - 1]] : i + 1;
    }
    return ranks;
}

}  // namespace

RankIntervals rank_intervals(std::size_t players, std::span<const RatedMatchPoints> matches,
                             std::uint64_t seed, std::size_t draws) {
    REFEREE_ASSERT(draws > 0);
    // The first draws still depend on the values that the variances began with.
    constexpr std::size_t draws_passed_over = 30;
    Strengths strengths(players, matches, seed);
    for (std::size_t draw = 0; draw < draws_passed_over; ++draw) strengths.next();
    // How often each player had each rank: sorted ranks without keeping all draws.
    std::vector<std::vector<std::size_t>> seen(players, std::vector<std::size_t>(players, 0));
    for (std::size_t draw = 0; draw < draws; ++draw) {
        const auto ranks = ranks_of(strengths.next(), strengths);
        for (std::size_t player = 0; player < players; ++player) ++seen[player][ranks[player] - 1];
    }
    RankIntervals result;
    const auto outside =
        static_cast<std::size_t>(std::floor(outside_each_end * static_cast<double>(draws)));
    for (const auto& counts : seen) {
        RankInterval interval;
        std::size_t before = 0;
        std::size_t rank = 0;
        while (before + counts[rank] <= outside) before += counts[rank++];
        interval.best = rank + 1;
        std::size_t after = 0;
        rank = players - 1;
        while (after + counts[rank] <= outside) after += counts[rank--];
        interval.worst = rank + 1;
        result.intervals.push_back(interval);
        result.first_share.push_back(static_cast<double>(counts[0]) / static_cast<double>(draws));
    }
    return result;
}

}  // namespace referee::rating
