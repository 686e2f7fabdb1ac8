#include "referee/grading/verdict/chances.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "protocol/base/split_mix.h"
#include "referee/grading/verdict/as_good.h"
#include "tests/referee/grading/verdict/played_games.h"

namespace referee::verdict {
namespace {

using testing::HasSubstr;

TEST(Chances, OfWinsAreThoseOfTheBinomial) {
    struct Case {
        double win;
        std::uint32_t games, wins;
        double chance;
    };
    for (const auto& [win, games, wins, chance] : {
             Case{0.5, 3, 2, 0.5},
             Case{0.25, 3, 2, 10.0 / 64},
             Case{0.9, 3, 2, 0.972},
             Case{0.5, 1, 1, 0.5},
             Case{0.5, 3, 0, 1},
             Case{0, 3, 1, 0},
             Case{1, 3, 3, 1},
             Case{0.5, 3, 4, 0},
             Case{0.5, 10, 10, 1.0 / 1024},
             Case{0.5, 9'999, 5'000, 0.5},
         }) {
        EXPECT_NEAR(chance_of_wins(win, games, wins), chance, 1e-9) << games << " " << wins;
    }
}

// The sums of all ways, counted one by one.
TEST(Chances, OfWinsAgreeWithCounting) {
    constexpr std::uint32_t games = 12;
    for (const double win : {0.1, 0.35, 0.5, 0.8}) {
        for (std::uint32_t wins = 0; wins <= games; ++wins) {
            double counted = 0;
            for (std::uint32_t way = 0; way < (1U << games); ++way) {
                const auto won = static_cast<std::uint32_t>(__builtin_popcount(way));
                if (won >= wins) counted += std::pow(win, won) * std::pow(1 - win, games - won);
            }
            EXPECT_NEAR(chance_of_wins(win, games, wins), counted, 1e-9);
        }
    }
}

TEST(Chances, AreToldInAWord) {
    rubric::Series series;
    series.opponents = {"dumb"};
    EXPECT_EQ(chances_of(step_with(rubric::Wins{2}), series, 3),
              "Passes a program that wins half of such games in 50 of 100 cases, one that wins "
              "nine of ten in 97 of 100 cases.");
    EXPECT_THAT(chances_of(step_with(rubric::EachWin{}), series, 25),
                HasSubstr("no more than 10% of the points"));
    EXPECT_THAT(chances_of(step_with(rubric::Faultless{}), series, 3), HasSubstr("97 of 100"));
    EXPECT_EQ(chances_of(step_with(rubric::Wins{2}), series, 0), "") << "nobody knows how many";
    EXPECT_EQ(chances_of(step_with(rubric::Wins{2}), rubric::Series{}, 3), "")
        << "the same games for everybody";
    EXPECT_EQ(chances_of(step_with(rubric::AverageScore{5}), series, 3), "");
    series.as_good_as = rubric::AsGoodAs{};
    EXPECT_THAT(chances_of(step_with(rubric::IsAsGood{}), series, 0),
                HasSubstr("at most 1 of 100 cases, passes one that is clearly worse (35%"));
}

// Shares of matches with a known mean.
struct Truth {
    const char* name;
    std::vector<double> shares;
    std::vector<double> chances;
};

struct Simulated {
    double passed = 0;
    double matches = 0;
    double undecided = 0;
};

Simulated simulate(const rubric::AsGoodAs& asked, const Truth& truth, int runs) {
    base::SplitMix random(42);
    Simulated sum;
    for (int run = 0; run < runs; ++run) {
        rating::SequentialTest test(test_limits(asked));
        double share = 0;
        while (test.state().verdict == rating::SprtVerdict::undecided &&
               test.state().matches < asked.matches_max) {
            double lot = static_cast<double>(random.below(1'000'000)) / 1e6;
            std::size_t which = 0;
            while (which + 1 < truth.chances.size() && lot >= truth.chances[which])
                lot -= truth.chances[which++];
            share += truth.shares[which];
            test.add(truth.shares[which]);
        }
        const auto matches = static_cast<double>(test.state().matches);
        const auto says = test_result(test.state().verdict);
        const bool undecided = says == PlayedSeries::Test::undecided;
        sum.undecided += undecided;
        sum.passed += says == PlayedSeries::Test::as_good ||
                      (undecided && is_good_so_far(asked, share / matches));
        sum.matches += matches;
    }
    return {sum.passed / runs, sum.matches / runs, sum.undecided / runs};
}

TEST(Chances, TheSequentialTestKeepsItsPromise) {
    constexpr int runs = 2000;
    const rubric::AsGoodAs asked;
    const std::vector<Truth> fair{
        {"won or lost", {0, 1}, {0.5, 0.5}},
        {"with draws", {0, 0.5, 1}, {0.25, 0.5, 0.25}},
        {"four to a match", {0, 1 / 3.0, 2 / 3.0, 1}, {0.25, 0.25, 0.25, 0.25}},
    };
    const std::vector<Truth> worse{
        {"won or lost", {0, 1}, {0.65, 0.35}},
        {"with draws", {0, 0.5, 1}, {0.4, 0.5, 0.1}},
        {"four to a match", {0, 1 / 3.0, 2 / 3.0, 1}, {0.4, 0.25, 0.25, 0.1}},
    };
    for (const auto& truth : fair) {
        const auto seen = simulate(asked, truth, runs);
        std::cout << truth.name << ", as good: " << 100 * (1 - seen.passed) << "% fail, "
                  << seen.matches << " matches, " << 100 * seen.undecided << "% undecided\n";
        EXPECT_LT(1 - seen.passed, asked.fails_fair) << truth.name;
    }
    for (const auto& truth : worse) {
        const auto seen = simulate(asked, truth, runs);
        std::cout << truth.name << ", clearly worse: " << 100 * seen.passed << "% pass, "
                  << seen.matches << " matches, " << 100 * seen.undecided << "% undecided\n";
        EXPECT_LT(seen.passed, asked.passes_worse) << truth.name;
    }
}

}  // namespace
}  // namespace referee::verdict
