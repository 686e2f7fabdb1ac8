#include "referee/contest/certainty/p_values.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "protocol/base/assertion.h"

namespace referee::certainty {

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
