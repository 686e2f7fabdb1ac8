// Student's distribution and coins, against adding up and counting.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "referee/contest/certainty/significance.h"

namespace referee::certainty {

namespace {

// By adding up the density with small steps.
double student_by_steps(double t, double freedom) {
    const double scale = std::exp(std::lgamma((freedom + 1) / 2) - std::lgamma(freedom / 2)) /
                         std::sqrt(freedom * std::acos(-1.0));
    constexpr int steps = 200'000;
    double inside = 0;
    for (int i = 0; i < steps; ++i) {
        const double x = t * (i + 0.5) / steps;
        inside += scale * std::pow(1 + x * x / freedom, -(freedom + 1) / 2) * t / steps;
    }
    return 1 - 2 * inside;
}

TEST(Student, AgreesWithItsDensity) {
    for (const double freedom : {1.0, 2.0, 5.0, 17.5, 300.0})
        for (const double t : {0.1, 1.0, 2.5, 6.0}) {
            EXPECT_NEAR(student_two_sided(t, freedom), student_by_steps(t, freedom), 1e-7)
                << t << ' ' << freedom;
            EXPECT_NEAR(student_quantile(student_two_sided(t, freedom), freedom), t, 1e-6);
        }
    EXPECT_NEAR(student_quantile(0.05, 1), 12.706205, 1e-5);
    EXPECT_NEAR(normal_quantile(0.05), 1.959964, 1e-6);
}

TEST(Coins, AgreeWithCountingAllThrows) {
    for (unsigned n = 1; n <= 14; ++n) {
        for (unsigned heads = 0; heads <= n; ++heads) {
            unsigned as_uneven = 0;
            for (unsigned thrown = 0; thrown < 1U << n; ++thrown) {
                const auto seen = static_cast<unsigned>(__builtin_popcount(thrown));
                as_uneven += std::max(seen, n - seen) >= std::max(heads, n - heads) ? 1 : 0;
            }
            EXPECT_NEAR(coin_two_sided(heads, n - heads), as_uneven / std::pow(2.0, n), 1e-12);
        }
    }
}

}  // namespace

}  // namespace referee::certainty
