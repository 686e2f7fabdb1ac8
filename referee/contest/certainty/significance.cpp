#include "referee/contest/certainty/significance.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "protocol/base/assertion.h"

namespace referee::certainty {
namespace {

constexpr double bell_95 = 1.959963984540054;
constexpr double coin_variance = 0.25;  // of a match without draws between equals
// So many matches without draws are thought to have been seen before, as far as scatter goes.
constexpr double scatter_before = 3;

}  // namespace

Interval share_interval(const PairRecord& pair) {
    if (pair.distinct == 0) return {};
    const auto matches = static_cast<double>(pair.distinct);
    const double mean = pair.share / matches;
    if (pair.settled) return {mean, mean};
    const double scatter = std::max(0.0, pair.squares - matches * mean * mean);
    const double undrawn = matches * mean * (1 - mean);
    const double before = scatter_before * coin_variance;
    const double as_many = matches * (undrawn + before) / (scatter + before);
    // With the correction for steps that counts take (Newcombe), so that few matches hold it too.
    const double z2 = bell_95 * bell_95;
    const double whole = 2 * (as_many + z2);
    const double other = 1 - mean;
    const double below = z2 - 2 - 1 / as_many + 4 * mean * (as_many * other + 1);
    const double above = z2 + 2 - 1 / as_many + 4 * mean * (as_many * other - 1);
    const double twice = 2 * as_many * mean + z2;
    const double low = (twice - 1 - bell_95 * std::sqrt(std::max(0.0, below))) / whole;
    const double high = (twice + 1 + bell_95 * std::sqrt(std::max(0.0, above))) / whole;
    return {mean == 0 ? 0 : std::clamp(low, 0.0, mean),
            mean == 1 ? 1 : std::clamp(high, mean, 1.0)};
}

std::vector<double> holm_corrected(std::vector<double> p) {
    std::vector<std::size_t> order(p.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t x, std::size_t y) { return p[x] < p[y]; });
    double most = 0;
    for (std::size_t place = 0; place < order.size(); ++place) {
        auto& one = p[order[place]];
        most = std::max(most, std::min(1.0, one * static_cast<double>(p.size() - place)));
        one = most;
    }
    return p;
}

double student_two_sided(double t, double freedom) {
    REFEREE_ASSERT(freedom > 0);
    return boost::math::ibeta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double student_quantile(double outside, double freedom) {
    REFEREE_ASSERT(outside > 0 && outside < 1 && freedom > 0);
    double rest = 0;  // 1 - x, with all of its digits where x is near 1
    const double x = boost::math::ibeta_inv(freedom / 2, 0.5, outside, &rest);
    return std::sqrt(freedom * rest / x);
}

double normal_quantile(double outside) {
    REFEREE_ASSERT(outside > 0 && outside < 1);
    return std::numbers::sqrt2 * boost::math::erfc_inv(outside);
}

double coin_two_sided(std::uint64_t heads, std::uint64_t tails) {
    const auto most = static_cast<double>(std::max(heads, tails));
    const auto least = static_cast<double>(std::min(heads, tails));
    if (most == least) return 1;
    // As often at least `most` heads: the binomial's tail is a beta distribution.
    return std::min(1.0, 2 * boost::math::ibeta(most, least + 1, 0.5));
}

}  // namespace referee::certainty
