// The error rates of the sequential test, by simulation with known strengths.

#include <gtest/gtest.h>

#include <cmath>

#include "referee/contest/rating/sprt.h"
#include "tests/referee/contest/rating/simulated_field.h"

namespace referee::rating {
namespace {

struct Truth {
    double elo;
    double draw_share;
    int games;  // of a match, whose share is their mean
};

double share_of(Random& random, const Truth& truth) {
    double sum = 0;
    for (int game = 0; game < truth.games; ++game)
        sum += played_share(random, truth.elo, truth.draw_share);
    return sum / truth.games;
}

// How often the test says "stronger".
double stronger_share(const Truth& truth, double elo0, double elo1, int tests, std::uint64_t seed) {
    Random random(seed);
    int stronger = 0;
    for (int test = 0; test < tests; ++test) {
        SequentialTest sequential({elo0, elo1, 0.05, 0.05});
        constexpr int matches_most = 100'000;
        for (int i = 0; i < matches_most; ++i) {
            sequential.add(share_of(random, truth));
            if (sequential.state().verdict != SprtVerdict::undecided) break;
        }
        stronger += sequential.state().verdict == SprtVerdict::stronger ? 1 : 0;
    }
    return static_cast<double>(stronger) / tests;
}

TEST(SequentialTest, KeepsBothErrorRates) {
    struct Case {
        double elo0;
        double elo1;
        double draw_share;
        int games;
        int tests;
    };
    const std::vector<Case> cases = {
        {0, 100, 0, 1, 1500},   {0, 100, 0.5, 1, 1500},   {0, 100, 0.4, 2, 1500},
        {200, 300, 0, 1, 1500}, {200, 300, 0.2, 1, 1500}, {200, 300, 0.2, 2, 1500},
        {300, 500, 0, 1, 1500}, {300, 500, 0.1, 1, 1500}, {300, 500, 0.1, 2, 1500},
        {0, 40, 0.4, 1, 400},
    };
    for (const auto& each : cases) {
        const Truth weak{each.elo0, each.draw_share, each.games};
        const Truth strong{each.elo1, each.draw_share, each.games};
        const auto what = ::testing::Message() << each.elo0 << ".." << each.elo1 << ", draws "
                                               << each.draw_share << ", " << each.games << " games";
        const double alpha = stronger_share(weak, each.elo0, each.elo1, each.tests, 11);
        const double beta = 1 - stronger_share(strong, each.elo0, each.elo1, each.tests, 12);
        EXPECT_LE(alpha, 0.065) << what;
        EXPECT_LE(beta, 0.065) << what;
    }
}

TEST(SequentialTest, RatioIsThatOfTheLikeliestOutcomesWithThatMean) {
    // Won and lost only: with a given mean there is one distribution, and the ratio is Bernoulli's.
    SequentialTest test({0, 100, 1e-9, 1e-9});
    for (int i = 0; i < 100; ++i) test.add(i % 5 < 3 ? 1 : 0);
    const double s1 = expected_share(100);
    const double ratio = 60 * std::log(s1 / 0.5) + 40 * std::log((1 - s1) / 0.5);
    EXPECT_NEAR(test.state().log_likelihood_ratio, ratio, 0.01);
    // Half of the matches drawn, the others even: the shares' spread is half as large, and by
    // symmetry the likeliest outcomes of mean 1/2 are those seen. At mean m they are the seen ones
    // weighted with 1 / (1 + t (share - m)); t is found here by halving an interval.
    SequentialTest drawn({0, 100, 1e-9, 1e-9});
    for (int i = 0; i < 100; ++i) drawn.add(i % 4 == 0 ? 1 : i % 4 == 2 ? 0 : 0.5);
    double low = -1 / (1 - s1);
    double high = 1 / s1;
    const auto slope = [&](double t) {
        return 0.25 * (1 - s1) / (1 + t * (1 - s1)) + 0.5 * (0.5 - s1) / (1 + t * (0.5 - s1)) -
               0.25 * s1 / (1 - t * s1);
    };
    for (int i = 0; i < 200; ++i) {
        const double t = (low + high) / 2;
        (slope(t) > 0 ? low : high) = t;
    }
    const double expected = -25 * std::log(1 + low * (1 - s1)) -
                            50 * std::log(1 + low * (0.5 - s1)) - 25 * std::log(1 - low * s1);
    EXPECT_NEAR(drawn.state().log_likelihood_ratio, expected, 0.01);
}

TEST(SequentialTest, ACleanSheetDecidesWhenItMust) {
    // Each win is worth ln(s1 / s0); before the ratio has its bound nothing is decided.
    const SprtLimits limits{300, 500, 0.05, 0.05};
    const double win = std::log(expected_share(500) / expected_share(300));
    const auto needed = static_cast<std::size_t>(std::ceil(std::log(19) / win));
    SequentialTest test(limits);
    while (test.state().verdict == SprtVerdict::undecided) test.add(1);
    EXPECT_NEAR(static_cast<double>(test.state().matches), static_cast<double>(needed), 1);
    EXPECT_EQ(test.state().verdict, SprtVerdict::stronger);
}

TEST(SequentialTest, FarLimitsStayFinite) {
    SequentialTest test({-10000, 10000, 0.05, 0.05});
    for (const double share : {0.5, 0.25, 1.0, 0.0}) test.add(share);
    EXPECT_TRUE(std::isfinite(test.state().log_likelihood_ratio));
}

}  // namespace
}  // namespace referee::rating
