#include "referee/grading/verdict/pass_probability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "protocol/base/split_mix.h"
#include "tests/referee/grading/verdict/played_games.h"

namespace referee::verdict {
namespace {

using testing::HasSubstr;

// The sums of all ways, counted one by one.
TEST(Chances, OfWinsAgreeWithCounting) {
    constexpr std::uint32_t games = 12;
    for (const double win : {0.0, 0.1, 0.35, 0.5, 0.8, 1.0}) {
        for (std::uint32_t wins = 0; wins <= games; ++wins) {
            double counted = 0;
            for (std::uint32_t way = 0; way < (1U << games); ++way) {
                const auto won = static_cast<std::uint32_t>(__builtin_popcount(way));
                if (won >= wins) counted += std::pow(win, won) * std::pow(1 - win, games - won);
            }
            EXPECT_NEAR(chance_of_wins(win, games, wins), counted, 1e-9);
        }
    }
    EXPECT_NEAR(chance_of_wins(0.5, 9'999, 5'000), 0.5, 1e-9);
}

TEST(Chances, AreToldWhereGamesAreCounted) {
    rubric::Series series;
    series.opponents = {"dumb"};
    EXPECT_EQ(chances_of(step_with(rubric::Wins{2}), series, 0), "") << "nobody knows how many";
    EXPECT_EQ(chances_of(step_with(rubric::Place{{5}}), series, 3), "");
    for (const rubric::Rule& rule :
         {rubric::Rule(rubric::Wins{2}), rubric::Rule(rubric::AverageScore{5}),
          rubric::Rule(rubric::Always{"finished"}), rubric::Rule(rubric::ScoreOf{"best"}),
          rubric::Rule(rubric::ShareOf{"score", "attainable"})})
        EXPECT_THAT(chances_of(step_with(rule), rubric::Series{}, 3),
                    HasSubstr("the same for everybody"));
    series.as_good_as = rubric::AsGoodAs{};
    EXPECT_THAT(chances_of(step_with(rubric::IsAsGood{}), series, 0),
                HasSubstr("at most 1 of 100 cases, and one that is clearly worse (35%"));
}

// Whoever moves first wins on the smallest board, so one of the two games can't be won: counted one
// by one, a program that always wins the other passes always, one that wins it half the time in
// half of the cases.
TEST(Chances, OfWinsAreOfTheGamesThatCanBeWon) {
    rubric::Series series;
    series.opponents = {"minimax"};
    EXPECT_THAT(chances_of(step_with(rubric::Wins{1, 1}), series, 2),
                testing::StartsWith("Of the 2 games only 1 can be won at all; the chances are of "
                                    "that one. A program that is exactly at this threshold (on "
                                    "average it wins 1 of 1) passes in 100 of 100 cases, one that "
                                    "wins half of such games in 50 of 100 cases, one that wins "
                                    "nine of ten in 90 of 100 cases."));
}

// Worked out by hand: 0.99 and a half to the power of the games; and of ten games that are won half
// of the time 4, 5 or 6 are won in 672 of 1,024 cases.
TEST(Chances, EachRuleStatesItsOwn) {
    rubric::Series series;
    series.opponents = {"dumb"};
    struct Case {
        rubric::Rule rule;
        std::uint32_t games;
        const char* stated;
    };
    for (const auto& [rule, games, stated] : std::vector<Case>{
             {rubric::Wins{2}, 3,
              "A program that is exactly at this threshold (on average it wins 2 of 3) passes in "
              "74 "
              "of 100 cases, one that wins half of such games in 50 of 100 cases, one that wins "
              "nine of ten in 97 of 100 cases."},
             {rubric::Faultless{}, 8, "one of a hundred games passes in 92 of 100 cases."},
             {rubric::Always{"finished"}, 5, "one of a hundred games passes in 95 of 100 cases."},
             {rubric::AverageScore{50}, 4, "passes in about 50 of 100 cases."},
             {rubric::ScoreOf{"best", 0.9, true}, 4, "passes in about 50 of 100 cases."},
             {rubric::ScoreOf{"best", 0.9, false}, 3, "passes in 13 of 100 cases."},
             {rubric::EachWin{}, 10,
              "half of the points on average, and 40% to 60% of them in 66 of 100 cases."}})
        EXPECT_THAT(chances_of(step_with(rule), series, games), HasSubstr(stated));
}

// Shares of matches with a known mean.
struct Truth {
    const char* name;
    std::vector<double> shares;
    std::vector<double> chances;
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
        const auto says = test.state().verdict;
        const bool undecided = says == rating::SprtVerdict::undecided;
        sum.passed += says == rating::SprtVerdict::stronger ||
                      (undecided && share / matches >= least_share(asked));
        sum.matches += matches;
    }
    return {sum.passed / runs, sum.matches / runs};
}

TEST(Chances, TheSequentialTestKeepsItsPromise) {
    constexpr int runs = 2000;
    const rubric::AsGoodAs asked;
    for (const auto& truth :
         {Truth{"won or lost", {0, 1}, {0.5, 0.5}},
          Truth{"with draws", {0, 0.5, 1}, {0.25, 0.5, 0.25}},
          Truth{"four to a match", {0, 1 / 3.0, 2 / 3.0, 1}, {0.25, 0.25, 0.25, 0.25}}})
        EXPECT_LT(1 - simulate(asked, truth, runs).passed, asked.fails_fair) << truth.name;
    for (const auto& truth :
         {Truth{"won or lost", {0, 1}, {0.65, 0.35}},
          Truth{"with draws", {0, 0.5, 1}, {0.4, 0.5, 0.1}},
          Truth{"four to a match", {0, 1 / 3.0, 2 / 3.0, 1}, {0.4, 0.25, 0.25, 0.1}}})
        EXPECT_LT(simulate(asked, truth, runs).passed, asked.passes_worse) << truth.name;
}

// What the page says of it, beside other draws and another count of programs.
TEST(Chances, ASimulatedTestIsTheSameByOtherDraws) {
    constexpr int runs = 20'000;
    const rubric::AsGoodAs asked;
    const auto told = simulated(asked);
    const auto fair = simulate(asked, {"", {0, 1}, {0.5, 0.5}}, runs);
    const auto worse = simulate(asked, {"", {0, 1}, {0.65, 0.35}}, runs);
    EXPECT_NEAR(told.fair.passed, fair.passed, 0.004);
    EXPECT_NEAR(told.worse.passed, worse.passed, 0.006);
    EXPECT_NEAR(told.fair.matches, fair.matches, 2);
    EXPECT_NEAR(told.worse.matches, worse.matches, 2);
    rubric::Series series;
    series.as_good_as = asked;
    EXPECT_THAT(chances_of(step_with(rubric::IsAsGood{}), series, 0),
                testing::ContainsRegex("Of simulated programs whose matches are won or lost, "
                                       "[0-9.]+ of 100 as good ones failed and [0-9.]+ of 100"));
    series.as_good_as->matches_max = 20;
    EXPECT_THAT(chances_of(step_with(rubric::IsAsGood{}), series, 0),
                testing::HasSubstr("But it ends after at most 20 matches (matches_max), before it "
                                   "is so sure: of simulated programs"));
}

}  // namespace
}  // namespace referee::verdict
