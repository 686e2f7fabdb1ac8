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

bool worth_writing_out(const RatingNetwork& network, std::size_t draws) {
    constexpr double players_most = 2000;  // a matrix of 32 MB
    // What one entry of the network costs in one draw, in steps of the work on a matrix: a random
    // number is drawn for it, and each round of solving the equations passes over it.
    constexpr double entry_costs = 30;
    const auto n = static_cast<double>(network.players());
    const auto times = static_cast<double>(draws);
    const double written_out = n * n * n + times * 2 * n * n;
    return n <= players_most &&
           written_out < times * entry_costs * static_cast<double>(network.entries());
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

namespace {

// The mirror that turns x onto its first axis; nothing where x lies there already. `length` becomes
// the coordinate of x there, with the sign that loses no digits.
std::vector<double> mirror_of(std::vector<double> x, double& length) {
    length = std::sqrt(product(x, x));
    if (x[0] > 0) length = -length;
    if (std::abs(length) == std::abs(x[0])) {
        length = x[0];
        return {};
    }
    x[0] -= length;
    const double scale = 1 / std::sqrt(product(x, x));
    for (double& each : x) each *= scale;
    return x;
}

// Mirrors the square of the matrix that begins at `begin` from both sides.
void mirror_square(std::vector<double>& rows, std::size_t n, std::size_t begin,
                   const std::vector<double>& mirror) {
    const std::size_t size = mirror.size();
    std::vector<double> image(size, 0.0);
    for (std::size_t i = 0; i < size; ++i) {
        const double* row = &rows[(begin + i) * n + begin];
        for (std::size_t j = 0; j < size; ++j) image[j] += mirror[i] * row[j];
    }
    const double along = product(mirror, image);
    for (std::size_t i = 0; i < size; ++i) image[i] = 2 * (image[i] - along * mirror[i]);
    for (std::size_t i = 0; i < size; ++i) {
        double* row = &rows[(begin + i) * n + begin];
        for (std::size_t j = 0; j < size; ++j) {
            row[j] -= mirror[i] * image[j] + image[i] * mirror[j];
        }
    }
}

}  // namespace

Tridiagonal::Tridiagonal(const RatingNetwork& network) : players_(network.players()) {
    REFEREE_ASSERT(players_ > 0);
    auto rows = network.rows();
    for (std::size_t k = 0; k + 1 < players_; ++k) {
        const auto row = rows.begin() + static_cast<std::ptrdiff_t>(k * players_);
        diagonal_.push_back(row[static_cast<std::ptrdiff_t>(k)]);
        mirrors_.push_back(mirror_of(
            {row + static_cast<std::ptrdiff_t>(k) + 1, row + static_cast<std::ptrdiff_t>(players_)},
            beside_.emplace_back()));
        if (!mirrors_.back().empty()) mirror_square(rows, players_, k + 1, mirrors_.back());
    }
    diagonal_.push_back(rows.back());
}

void Tridiagonal::reflect(std::vector<double>& x, std::size_t by) const {
    const auto& mirror = mirrors_[by];
    double along = 0;
    for (std::size_t i = 0; i < mirror.size(); ++i) along += mirror[i] * x[by + 1 + i];
    for (std::size_t i = 0; i < mirror.size(); ++i) x[by + 1 + i] -= 2 * along * mirror[i];
}

std::vector<double> Tridiagonal::turned(std::vector<double> x) const {
    for (std::size_t k = 0; k < mirrors_.size(); ++k) reflect(x, k);
    return x;
}

std::vector<double> Tridiagonal::turned_back(std::vector<double> x) const {
    for (std::size_t k = mirrors_.size(); k-- > 0;) reflect(x, k);
    return x;
}

double Tridiagonal::quadratic(const std::vector<double>& turned) const {
    double sum = diagonal_[0] * turned[0] * turned[0];
    for (std::size_t i = 1; i < players_; ++i) {
        sum += turned[i] * (diagonal_[i] * turned[i] + 2 * beside_[i - 1] * turned[i - 1]);
    }
    return sum;
}

// With M + own = L L', where L has a diagonal and what is below it, x solves
// L' x = L^-1 pull + lots.
std::vector<double> Tridiagonal::drawn(double own, const std::vector<double>& turned_pull,
                                       double variance, Random& random) const {
    std::vector<double> ends(players_);        // L's diagonal
    std::vector<double> below(players_, 0.0);  // in row i: left of the diagonal
    std::vector<double> x(players_);
    const double scale = std::sqrt(variance);
    for (std::size_t i = 0; i < players_; ++i) {
        double left = diagonal_[i] + own;
        double right = turned_pull[i];
        if (i > 0) {
            below[i] = beside_[i - 1] / ends[i - 1];
            left -= below[i] * below[i];
            right -= below[i] * x[i - 1];
        }
        REFEREE_ASSERT(left > 0);
        ends[i] = std::sqrt(left);
        x[i] = right / ends[i];
    }
    for (double& each : x) each += scale * random.normal();
    for (std::size_t i = players_; i-- > 0;) {
        if (i + 1 < players_) x[i] -= below[i + 1] * x[i + 1];
        x[i] /= ends[i];
    }
    return x;
}

}  // namespace referee::rating
