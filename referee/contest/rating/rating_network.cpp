#include "referee/contest/rating/rating_network.h"

#include <cmath>
#include <numeric>
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
        for (auto i = begin; i < meeting.end; ++i) {
            result[members_[i]] += meeting.weight * (x[members_[i]] - mean);
        }
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
    double size = product(left, scaled);
    const double target = size * but_for * but_for;
    const std::size_t rounds = rounds_least + rounds_a_player * n;
    for (std::size_t round = 0; round < rounds && size > target; ++round) {
        const auto image = times(direction);
        const double step = size / product(direction, image);
        for (std::size_t i = 0; i < n; ++i) {
            x[i] += step * direction[i];
            left[i] -= step * image[i];
            scaled[i] = left[i] / diagonal_[i];
        }
        const double before = std::exchange(size, product(left, scaled));
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
        for (auto i = begin; i < meeting.end; ++i) {
            result[members_[i]] += scale * (lots[i - begin] - mean);
        }
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

double product(const std::vector<double>& a, const std::vector<double>& b) {
    REFEREE_ASSERT(a.size() == b.size());
    return dot(a.data(), b.data(), a.size());
}

}  // namespace referee::rating
