#include "referee/contests/rating/pair_model.h"

#include <algorithm>
#include <cmath>

#include "protocol/base/assertion.h"

namespace referee::rating {
namespace {

// Before any match strengths are thought to be spread by so much; it only keeps them finite where
// somebody won or lost everything.
constexpr double strength_spread = 2.0;
constexpr double own_weight = 1 / (strength_spread * strength_spread);
constexpr double slope_least = 1e-3;  // of a share between players who are worlds apart
constexpr int fits_most = 6;
constexpr double deviation_small = 1e-3;
constexpr int steps_most = 8;
constexpr double step_largest = 1.0;
constexpr double step_small = 1e-4;  // far below the error of any strength
// What is thought of the scatter at first, as so many matches of a pair would tell.
constexpr double scatter_at_first = 1;
constexpr double scatter_matches = 5;
constexpr double scatter_least = 0.02;
constexpr int deviation_rounds = 5;

double expected(double difference) {
    return 1 / (1 + std::exp(-difference));
}

}  // namespace

void PairModel::grow(std::size_t players) {
    const auto before = strengths_.size();
    REFEREE_ASSERT(players >= before);
    std::vector<Totals> totals(players * players);
    for (std::size_t a = 0; a < before; ++a)
        for (std::size_t b = 0; b < before; ++b) totals[a * players + b] = totals_[a * before + b];
    totals_ = std::move(totals);
    strengths_.resize(players, 0);
    factor_.assign(players * players, 0);
    covariance_.assign(players * players, 0);
    for (std::size_t each = 0; each < players; ++each)
        covariance_[at(each, each)] = strength_spread * strength_spread;
    work_out_pairs();
    work_out_shares();
}

void PairModel::add(std::size_t first, std::size_t second, double share) {
    REFEREE_ASSERT(first != second && first < players() && second < players());
    const double from_half = share - 0.5;
    auto& one = totals_[at(first, second)];
    auto& other = totals_[at(second, first)];
    one = {one.matches + 1, one.share + share, one.squares + from_half * from_half, false};
    other = {one.matches, other.share + 1 - share, one.squares, false};
}

void PairModel::settle(std::size_t a, std::size_t b) {
    REFEREE_ASSERT(totals(a, b).matches > 0);
    totals_[at(a, b)].settled = totals_[at(b, a)].settled = true;
}

double PairModel::variance(std::size_t player) const {
    return errors_[at(player, player)] + unknown_[player];
}

// What their own pair brings has the opposite sign in the two shares.
double PairModel::variance(std::size_t a, std::size_t b) const {
    const auto others = static_cast<double>(players() - 1);
    const auto& own = own_[at(a, b)];
    const double shared = own.slope * own.slope * own.variance / (others * others);
    return variance(a) + variance(b) - 2 * errors_[at(a, b)] + 2 * shared;
}

double PairModel::together(std::size_t a, std::size_t b, std::size_t first,
                           std::size_t second) const {
    const auto& own = own_[at(first, second)];
    const double strengths =
        along_[at(a, first)] - along_[at(a, second)] - along_[at(b, first)] + along_[at(b, second)];
    // How often the pair stands in the two means, and with which sign.
    const int times =
        (first == a ? 1 : 0) + (second == b ? 1 : 0) - (second == a ? 1 : 0) - (first == b ? 1 : 0);
    return (1 - own.weight) * strengths +
           times * own.slope * own.variance / static_cast<double>(players() - 1);
}

double PairModel::gain(std::size_t a, std::size_t b, std::size_t first, std::size_t second) const {
    if (totals(first, second).settled) return 0;
    const auto& own = own_[at(first, second)];
    const double with = together(a, b, first, second);
    const double left = 1 - own.weight;
    const double difference = covariance_[at(first, first)] + covariance_[at(second, second)] -
                              2 * covariance_[at(first, second)];
    return with * with /
           (left * left * difference + own.variance + scatter_ / slope(first, second));
}

double PairModel::slope(std::size_t a, std::size_t b) const {
    const double share = expected(strengths_[a] - strengths_[b]);
    return std::max(share * (1 - share), slope_least);
}

double PairModel::alone(std::size_t a, std::size_t b) const {
    return totals(a, b).matches * slope(a, b) / scatter_;
}

void PairModel::fit() {
    for (int count = 0; count < fits_most; ++count) {
        const double before = deviation_;
        for (int steps = 0; steps < steps_most && step(); ++steps) {
        }
        learn_scatter();
        learn_deviation();
        if (std::abs(deviation_ - before) < deviation_small) break;
    }
    step();
    work_out_covariance();
    work_out_pairs();
    work_out_shares();
}

// How a pair's shares scatter around their own mean says nothing of strength or deviations.
void PairModel::learn_scatter() {
    double seen = scatter_at_first * scatter_matches / 4;
    double of_games = scatter_matches / 4;
    for (std::size_t a = 0; a < players(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            const auto& pair = totals(a, b);
            if (pair.matches < 2) continue;
            const double from_half = pair.share - pair.matches / 2;
            seen += pair.squares - from_half * from_half / pair.matches;
            of_games += slope(a, b) * (pair.matches - 1);
        }
    }
    scatter_ = std::clamp(seen / of_games, scatter_least, 1.0);
}

// By moments: how much further the pairs' sums are from what the strengths say than scatter takes
// them, each pair weighed by how much it tells of that. The strengths were fitted to the same sums,
// which makes these look nearer than they are.
void PairModel::learn_deviation() {
    const auto pairs =
        static_cast<double>(std::count_if(totals_.begin(), totals_.end(),
                                          [](const auto& pair) { return pair.matches > 0; }) /
                            2);
    const double fitted = static_cast<double>(players()) - 1;
    const double nearer = std::max(1.0, pairs - fitted) / std::max(1.0, pairs);
    for (int count = 0; count < deviation_rounds; ++count) {
        double beyond = 0;
        double of_one = 0;
        for (std::size_t a = 0; a < players(); ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                const auto& pair = totals(a, b);
                if (pair.matches == 0) continue;
                const double by_chance = pair.matches * slope(a, b) * scatter_;
                const double off =
                    pair.share - pair.matches * expected(strengths_[a] - strengths_[b]);
                const double says = alone(a, b);
                const double trust = 1 / ((1 + says * deviation_) * (1 + says * deviation_));
                beyond += says * trust * (off * off / by_chance / nearer - 1);
                of_one += says * says * trust;
            }
        }
        if (of_one == 0) return;
        deviation_ = std::max(0.0, beyond / of_one);
    }
}

// What the pairs' sums pull each strength by, and the information that they are.
std::vector<double> PairModel::weigh_up() {
    const auto n = players();
    std::vector<double> pull(n, 0);
    std::fill(factor_.begin(), factor_.end(), 0);
    for (std::size_t a = 0; a < n; ++a) {
        factor_[at(a, a)] += own_weight;
        pull[a] -= own_weight * strengths_[a];
        for (std::size_t b = 0; b < a; ++b) {
            const auto& pair = totals(a, b);
            if (pair.matches == 0) continue;
            const double tells = alone(a, b) / (1 + alone(a, b) * deviation_);
            const double off = pair.share - pair.matches * expected(strengths_[a] - strengths_[b]);
            const double towards = tells * off / (pair.matches * slope(a, b));
            pull[a] += towards;
            pull[b] -= towards;
            factor_[at(a, a)] += tells;
            factor_[at(b, b)] += tells;
            factor_[at(a, b)] -= tells;
        }
    }
    return pull;
}

// Cholesky's way.
void PairModel::factor() {
    for (std::size_t k = 0; k < players(); ++k) {
        for (std::size_t i = k; i < players(); ++i) {
            double left = factor_[at(i, k)];
            for (std::size_t j = 0; j < k; ++j) left -= factor_[at(i, j)] * factor_[at(k, j)];
            factor_[at(i, k)] = i == k ? std::sqrt(left) : left / factor_[at(k, k)];
        }
    }
}

bool PairModel::step() {
    const auto n = players();
    auto pull = weigh_up();
    factor();
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) pull[i] -= factor_[at(i, j)] * pull[j];
        pull[i] /= factor_[at(i, i)];
    }
    double largest = 0;
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t j = i + 1; j < n; ++j) pull[i] -= factor_[at(j, i)] * pull[j];
        pull[i] /= factor_[at(i, i)];
        largest = std::max(largest, std::abs(pull[i]));
    }
    for (std::size_t i = 0; i < n; ++i)
        strengths_[i] += std::clamp(pull[i], -step_largest, step_largest);
    return largest > step_small;
}

// Each sum runs along rows, as memory does.
void PairModel::work_out_covariance() {
    const auto n = players();
    std::vector<double> inverse(n * n, 0);  // of the triangle, turned: row k is its column k
    for (std::size_t k = 0; k < n; ++k) {
        inverse[at(k, k)] = 1 / factor_[at(k, k)];
        for (std::size_t i = k + 1; i < n; ++i) {
            double sum = 0;
            for (std::size_t j = k; j < i; ++j) sum -= factor_[at(i, j)] * inverse[at(k, j)];
            inverse[at(k, i)] = sum / factor_[at(i, i)];
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = 0;
            for (std::size_t k = i; k < n; ++k) sum += inverse[at(i, k)] * inverse[at(j, k)];
            covariance_[at(i, j)] = covariance_[at(j, i)] = sum;
        }
    }
}

void PairModel::work_out_pairs() {
    own_.assign(players() * players(), {});
    for (std::size_t a = 0; a < players(); ++a) {
        for (std::size_t b = 0; b < players(); ++b) {
            if (a == b || totals(a, b).settled) continue;
            const double says = alone(a, b) * deviation_;
            own_[at(a, b)] = {says / (1 + says), deviation_ / (1 + says), slope(a, b)};
        }
    }
}

// A share is the mean over all pairs of what the pair's d comes to; its error follows from the
// errors of the strengths and from what is unknown of each pair.
void PairModel::work_out_shares() {
    const auto n = players();
    const double others = std::max(1.0, static_cast<double>(n) - 1);
    shares_.assign(n, 0);
    reach_.assign(n * n, 0);
    unknown_.assign(n, 0);
    for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = 0; b < n; ++b) {
            if (a == b) continue;
            const auto& pair = totals(a, b);
            const auto& own = own_[at(a, b)];
            double got = expected(strengths_[a] - strengths_[b]);
            // The pair's own results, as far as they are believed.
            if (pair.settled) {
                got = pair.share / pair.matches;
            } else if (pair.matches > 0) {
                got += own.weight * (pair.share / pair.matches - got);
            }
            shares_[a] += got / others;
            const double moves = own.slope * (1 - own.weight) / others;
            reach_[at(a, a)] += moves;
            reach_[at(a, b)] -= moves;
            unknown_[a] += own.slope * own.slope * own.variance / (others * others);
        }
    }
    // The covariance is its own mirror image, so that rows meet rows.
    along_.assign(n * n, 0);
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b)
            for (std::size_t k = 0; k < n; ++k)
                along_[at(a, b)] += reach_[at(a, k)] * covariance_[at(b, k)];
    errors_.assign(n * n, 0);
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b <= a; ++b) {
            double sum = 0;
            for (std::size_t k = 0; k < n; ++k) sum += along_[at(a, k)] * reach_[at(b, k)];
            errors_[at(a, b)] = errors_[at(b, a)] = sum;
        }
}

}  // namespace referee::rating
