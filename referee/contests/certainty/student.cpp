#include "referee/contests/certainty/student.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "protocol/base/assertion.h"

namespace referee::certainty {
namespace {

constexpr int halvings = 200;
constexpr double quantile_beyond_all = 1e9;

// The continued fraction of the incomplete beta function, from its front (Lentz's way).
double beta_fraction(double a, double b, double x) {
    constexpr int terms_most = 500;
    constexpr double tiny = 1e-300;
    constexpr double enough = 1e-15;
    const auto away_from_zero = [](double v) { return std::abs(v) < tiny ? tiny : v; };
    double c = 1;
    double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
    double fraction = d;
    for (int m = 1; m <= terms_most; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / away_from_zero(1 + even * d);
        c = away_from_zero(1 + even / c);
        fraction *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / away_from_zero(1 + odd * d);
        c = away_from_zero(1 + odd / c);
        fraction *= d * c;
        if (std::abs(d * c - 1) < enough) break;
    }
    return fraction;
}

// The part of the beta distribution below x.
double beta_below(double a, double b, double x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                  a * std::log(x) + b * std::log1p(-x));
    // The fraction is short on the near side of the mean.
    if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

// Where a function that falls reaches a value.
template <typename Falling>
double where_it_is(double value, const Falling& falling) {
    double low = 0;
    double high = 1;
    while (falling(high) > value && high < quantile_beyond_all) high *= 2;
    for (int count = 0; count < halvings && high - low > 1e-12 * high; ++count) {
        const double middle = (low + high) / 2;
        (falling(middle) > value ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace

double student_two_sided(double t, double freedom) {
    REFEREE_ASSERT(freedom > 0);
    return beta_below(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double student_quantile(double outside, double freedom) {
    REFEREE_ASSERT(outside > 0 && outside < 1);
    return where_it_is(outside, [&](double t) { return student_two_sided(t, freedom); });
}

double normal_quantile(double outside) {
    REFEREE_ASSERT(outside > 0 && outside < 1);
    return where_it_is(outside, [](double z) { return std::erfc(z / std::numbers::sqrt2); });
}

double coin_two_sided(std::uint64_t heads, std::uint64_t tails) {
    const auto most = static_cast<double>(std::max(heads, tails));
    const auto least = static_cast<double>(std::min(heads, tails));
    if (most == least) return 1;
    // As often at least `most` heads: the binomial's tail is a beta distribution.
    return std::min(1.0, 2 * beta_below(most, least + 1, 0.5));
}

}  // namespace referee::certainty
