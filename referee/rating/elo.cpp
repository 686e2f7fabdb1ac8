#include "referee/rating/elo.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "protocol/json/assertion.h"
#include "referee/rating/sprt.h"

namespace referee::rating {

namespace {

constexpr double elo_of_unit = 400.0 / 2.302585092994046;  // of the logistic scale; 400 / ln 10
constexpr double normal_95 = 1.959963984540054;
constexpr double prior_matches = 1;  // drawn, against a player of rating 0
constexpr int rounds_most = 100;
constexpr double step_enough = 1e-10;

double logistic(double x) {
    return 1.0 / (1.0 + std::exp(-x));
}

// What two players brought in all their matches.
struct Sum {
    std::size_t a;
    std::size_t b;
    double matches = 0;
    double points = 0;  // of a
};

std::vector<Sum> summed(std::span<const PairResult> results) {
    // Shares are sorted before they are added: sums of doubles depend on the order.
    std::vector<std::tuple<std::size_t, std::size_t, double>> sorted;
    for (const auto& result : results) {
        REFEREE_ASSERT(result.first != result.second);
        const bool in_order = result.first < result.second;
        sorted.emplace_back(std::min(result.first, result.second),
                            std::max(result.first, result.second),
                            in_order ? result.share : 1 - result.share);
    }
    std::sort(sorted.begin(), sorted.end());
    std::vector<Sum> sums;
    for (const auto& [a, b, share] : sorted) {
        if (sums.empty() || sums.back().a != a || sums.back().b != b) sums.push_back({a, b});
        sums.back().matches += 1;
        sums.back().points += share;
    }
    return sums;
}

using Matrix = std::vector<std::vector<double>>;

// Cholesky's factor of a positive definite matrix, in place below the diagonal.
void factorise(Matrix& m) {
    for (std::size_t i = 0; i < m.size(); ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = m[i][j];
            for (std::size_t k = 0; k < j; ++k) sum -= m[i][k] * m[j][k];
            m[i][j] = i == j ? std::sqrt(sum) : sum / m[j][j];
        }
    }
}

std::vector<double> solved(const Matrix& factor, std::vector<double> right) {
    const std::size_t n = factor.size();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) right[i] -= factor[i][k] * right[k];
        right[i] /= factor[i][i];
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) right[i] -= factor[k][i] * right[k];
        right[i] /= factor[i][i];
    }
    return right;
}

class Fit {
 public:
    Fit(std::size_t players, std::vector<Sum> sums)
        : sums_(std::move(sums)), strength_(players, 0.0) {}

    void climb() {
        if (strength_.size() <= dense_players_most) {
            climb_at_once();
        } else {
            climb_one_by_one();
        }
    }

    // By player: the inverse of its own curvature.
    std::vector<double> own_variances() const {
        std::vector<double> variances;
        for (const double weight : own_curvature()) variances.push_back(1 / weight);
        return variances;
    }

    // The inverse of the curvature at the summit.
    Matrix covariance() const {
        const auto lower = factor();
        Matrix inverse;
        for (std::size_t i = 0; i < strength_.size(); ++i) {
            std::vector<double> unit(strength_.size(), 0.0);
            unit[i] = 1;
            inverse.push_back(solved(lower, std::move(unit)));
        }
        return inverse;
    }

    const std::vector<double>& strength() const { return strength_; }

 private:
    // Newton's steps on the log likelihood, which has one summit; long steps are cut short.
    void climb_at_once() {
        constexpr double step_most = 2;
        for (int round = 0; round < rounds_most; ++round) {
            const auto step = solved(factor(), slope());
            double longest = 0;
            for (const double s : step) longest = std::max(longest, std::abs(s));
            const double scale = longest > step_most ? step_most / longest : 1;
            for (std::size_t i = 0; i < step.size(); ++i) strength_[i] += scale * step[i];
            if (longest < step_enough) break;
        }
    }

    // The same for many players: everybody steps by its own curvature, which is halved into safety
    // because all step together.
    void climb_one_by_one() {
        constexpr int rounds_of_many = 3000;
        constexpr double step_enough_of_many = 1e-7;
        constexpr double caution = 0.5;
        for (int round = 0; round < rounds_of_many; ++round) {
            const auto up = slope();
            const auto weight = own_curvature();
            double longest = 0;
            for (std::size_t i = 0; i < up.size(); ++i) {
                const double step = std::clamp(caution * up[i] / weight[i], -1.0, 1.0);
                strength_[i] += step;
                longest = std::max(longest, std::abs(step));
            }
            if (longest < step_enough_of_many) break;
        }
    }

    std::vector<double> own_curvature() const {
        std::vector<double> curvature;
        for (const double s : strength_) {
            const double p = logistic(s);
            curvature.push_back(prior_matches * p * (1 - p));
        }
        for (const auto& sum : sums_) {
            const double p = logistic(strength_[sum.a] - strength_[sum.b]);
            curvature[sum.a] += sum.matches * p * (1 - p);
            curvature[sum.b] += sum.matches * p * (1 - p);
        }
        return curvature;
    }

    std::vector<double> slope() const {
        std::vector<double> slope;
        for (const double s : strength_) slope.push_back(prior_matches * (0.5 - logistic(s)));
        for (const auto& sum : sums_) {
            const double expected = sum.matches * logistic(strength_[sum.a] - strength_[sum.b]);
            slope[sum.a] += sum.points - expected;
            slope[sum.b] -= sum.points - expected;
        }
        return slope;
    }

    Matrix factor() const {
        const std::size_t n = strength_.size();
        Matrix curvature(n, std::vector<double>(n, 0.0));
        for (std::size_t i = 0; i < n; ++i) {
            const double p = logistic(strength_[i]);
            curvature[i][i] = prior_matches * p * (1 - p);
        }
        for (const auto& sum : sums_) {
            const double p = logistic(strength_[sum.a] - strength_[sum.b]);
            const double weight = sum.matches * p * (1 - p);
            curvature[sum.a][sum.a] += weight;
            curvature[sum.b][sum.b] += weight;
            curvature[sum.a][sum.b] -= weight;
            curvature[sum.b][sum.a] -= weight;
        }
        factorise(curvature);
        return curvature;
    }

    std::vector<Sum> sums_;
    std::vector<double> strength_;
};

double normal_share(double z) {
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

}  // namespace

EloTable elo_ratings(std::size_t players, std::span<const PairResult> results) {
    EloTable table;
    table.ratings.resize(players);
    if (players == 0) return table;
    for (const auto& result : results) {
        ++table.ratings[result.first].matches;
        ++table.ratings[result.second].matches;
    }
    Fit fit(players, summed(results));
    fit.climb();
    table.variance = fit.own_variances();
    if (players <= dense_players_most) {
        table.covariance = fit.covariance();
        for (std::size_t i = 0; i < players; ++i) table.variance[i] = table.covariance[i][i];
    }
    double sum = 0;
    double rated = 0;
    for (std::size_t i = 0; i < players; ++i) {
        if (table.ratings[i].matches == 0) continue;
        sum += fit.strength()[i];
        rated += 1;
    }
    for (std::size_t i = 0; i < players; ++i) {
        auto& rating = table.ratings[i];
        if (rating.matches == 0) continue;
        rating.elo = (fit.strength()[i] - sum / rated) * elo_of_unit;
        rating.error95 = normal_95 * std::sqrt(table.variance[i]) * elo_of_unit;
    }
    return table;
}

double EloTable::superiority(std::size_t a, std::size_t b) const {
    if (a == b || !ratings[a].elo || !ratings[b].elo) return 0.5;
    const double together = covariance.empty() ? 0 : covariance[a][b];
    const double spread = std::sqrt(variance[a] + variance[b] - 2 * together);
    return normal_share((*ratings[a].elo - *ratings[b].elo) / elo_of_unit / spread);
}

}  // namespace referee::rating
