#include "referee/grading/verdict/chances.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <regex>

#include "protocol/base/split_mix.h"
#include "referee/grading/verdict/as_good.h"
#include "referee/grading/verdict/judge.h"
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
    EXPECT_EQ(
        chances_of(step_with(rubric::Wins{2}), series, 3),
        "A program that is exactly at this threshold (on average it wins 2 of 3) passes in 74 "
        "of 100 cases, one that wins half of such games in 50 of 100 cases, one that wins "
        "nine of ten in 97 of 100 cases.");
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

// What a line says at its n-th "N of 100 cases".
double stated(const std::string& line, std::size_t which) {
    static const std::regex cases("([0-9]+) of 100 cases");
    std::sregex_iterator found(line.begin(), line.end(), cases);
    for (; which > 0; --which) ++found;
    return std::stod((*found)[1]) / 100;
}

// The share of simulated programs that get the points of a step, by what judge() says of games that
// `draw` makes.
template <typename Draw>
double share_that_pass(const rubric::Step& step, std::size_t games, Draw draw) {
    constexpr int programs = 20'000;
    base::SplitMix random(7);
    const auto rubric = rubric_with({step});
    const bool compares = std::holds_alternative<rubric::ScoreOf>(step.rule);
    int passed = 0;
    for (int program = 0; program < programs; ++program) {
        Played played;
        auto& series = played.series["s"];
        for (std::size_t i = 0; i < games; ++i) {
            series.games.push_back(draw(i, random));
            if (compares) series.references["best"].push_back(game_scored(100, i));
        }
        passed += judge(rubric, played).steps[0].verdict == StepVerdict::passed ? 1 : 0;
    }
    return static_cast<double>(passed) / programs;
}

bool happens(base::SplitMix& random, double chance) {
    constexpr std::uint64_t lots = 1'000'000;
    return static_cast<double>(random.below(lots)) < chance * lots;
}

// Each chance that a page states, beside 20,000 programs that are as strong as it says.
TEST(Chances, AreThoseOfSimulatedPrograms) {
    constexpr double near = 0.015;  // rounded to whole cases, and three deviations of the share
    rubric::Series series;
    series.opponents = {"dumb"};
    const auto wins_with = [](double chance) {
        return [chance](std::size_t i, base::SplitMix& random) {
            return happens(random, chance) ? game_won(i) : game_lost(i);
        };
    };
    const auto fails_with = [](double chance) {
        return [chance](std::size_t i, base::SplitMix& random) {
            return with_faults(game_won(i), happens(random, chance) ? 1 : 0);
        };
    };
    const auto around = [](double threshold) {
        return [threshold](std::size_t i, base::SplitMix& random) {
            const auto off = 0.5 + static_cast<double>(random.below(1000));
            return game_scored(threshold + (happens(random, 0.5) ? off : -off), i);
        };
    };
    for (const auto& [wins, games] : {std::pair{2U, 3U}, {1U, 2U}}) {
        const auto step = step_with(rubric::Wins{wins});
        const auto line = chances_of(step, series, games);
        EXPECT_NEAR(stated(line, 0),
                    share_that_pass(step, games, wins_with(static_cast<double>(wins) / games)),
                    near);
        EXPECT_NEAR(stated(line, 1), share_that_pass(step, games, wins_with(0.5)), near);
        EXPECT_NEAR(stated(line, 2), share_that_pass(step, games, wins_with(0.9)), near);
    }
    const auto clean = step_with(rubric::Faultless{});
    EXPECT_NEAR(stated(chances_of(clean, series, 8), 0),
                share_that_pass(clean, 8, fails_with(0.01)), near);
    const auto always = step_with(rubric::Always{"finished"});
    EXPECT_NEAR(stated(chances_of(always, series, 5), 0),
                share_that_pass(always, 5,
                                [](std::size_t i, base::SplitMix& random) {
                                    return game_scored(1, i,
                                                       happens(random, 0.01)
                                                           ? R"({"finished": false})"
                                                           : R"({"finished": true})");
                                }),
                near);
    const auto average = step_with(rubric::AverageScore{50});
    EXPECT_NEAR(stated(chances_of(average, series, 4), 0), share_that_pass(average, 4, around(50)),
                near);
    const auto sum = step_with(rubric::ScoreOf{"best", 0.9, true});
    EXPECT_NEAR(stated(chances_of(sum, series, 4), 0), share_that_pass(sum, 4, around(90)), near);
    const auto each = step_with(rubric::ScoreOf{"best", 0.9, false});
    EXPECT_NEAR(stated(chances_of(each, series, 3), 0), share_that_pass(each, 3, around(90)), near);
}

// The points for each won game, of programs that win half of their games.
TEST(Chances, OfEachWinIsTheSpreadOfSimulatedPrograms) {
    constexpr int programs = 20'000;
    constexpr std::size_t games = 10;
    base::SplitMix random(7);
    const auto rubric = rubric_with({step_with(rubric::EachWin{}, 100)});
    const auto spread = spread_of_wins(games);
    double points = 0;
    int inside = 0;
    for (int program = 0; program < programs; ++program) {
        Played played;
        for (std::size_t i = 0; i < games; ++i)
            played.series["s"].games.push_back(happens(random, 0.5) ? game_won(i) : game_lost(i));
        const auto got = judge(rubric, played).points;
        points += got;
        inside += got >= 100 * spread.least - 1e-6 && got <= 100 * spread.most + 1e-6 ? 1 : 0;
    }
    EXPECT_NEAR(points / programs, 50, 0.5);
    EXPECT_NEAR(static_cast<double>(inside) / programs, spread.chance, 0.015);
    EXPECT_LT(spread.least, 0.5);
    EXPECT_GT(spread.most, 0.5);
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
                      (undecided && share / matches >= least_share(asked));
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
}

}  // namespace
}  // namespace referee::verdict
