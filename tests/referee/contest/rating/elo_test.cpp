#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <functional>

#include "referee/contest/rating/elo.h"
#include "referee/contest/rating/random.h"
#include "referee/contest/rating/rating_network.h"
#include "referee/contest/rating/running_ratings.h"
#include "referee/contest/rating/sprt.h"
#include "tests/referee/contest/rating/simulated_field.h"

namespace referee::rating {
namespace {

TEST(Random, IsTheSameEverywhere) {
    // The published sequence of SplitMix64 for seed 1234567.
    Random random(1234567);
    EXPECT_EQ(random.next(), 6457827717110365317U);
    EXPECT_EQ(random.next(), 3203168211198807973U);
    EXPECT_EQ(random.next(), 9817491932198370423U);
}

std::vector<PairResult> matches_of(std::size_t a, std::size_t b, int won, int drawn, int lost) {
    std::vector<PairResult> results;
    results.insert(results.end(), static_cast<std::size_t>(won), {a, b, 1.0});
    results.insert(results.end(), static_cast<std::size_t>(drawn), {a, b, 0.5});
    results.insert(results.end(), static_cast<std::size_t>(lost), {a, b, 0.0});
    return results;
}

TEST(Elo, TwoPlayersHaveAClosedForm) {
    // By symmetry the strengths are x and -x, and the slope is zero where
    // 1/2 - L(x) + points - matches * L(2x) = 0: solved here by halving an interval.
    const int won = 70;
    const int lost = 30;
    double low = 0;
    double high = 10;
    const auto logistic = [](double x) { return 1 / (1 + std::exp(-x)); };
    for (int i = 0; i < 200; ++i) {
        const double x = (low + high) / 2;
        const double slope = 0.5 - logistic(x) + won - (won + lost) * logistic(2 * x);
        (slope > 0 ? low : high) = x;
    }
    const auto table = elo_ratings(2, matches_of(0, 1, won, 0, lost));
    EXPECT_NEAR(*table.ratings[0].elo, low * 400 / std::log(10), 1e-6);
    EXPECT_NEAR(*table.ratings[1].elo, -low * 400 / std::log(10), 1e-6);
    // Without the one drawn match that each is given it would be 400 log10(70/30) / 2 = 73.6.
    EXPECT_NEAR(*table.ratings[0].elo, 73.6, 1.0);
    EXPECT_EQ(table.ratings[0].matches, 100U);
}

TEST(Elo, IntervalsAndSuperiorityOfTwoPlayersHaveAClosedForm) {
    const auto table = elo_ratings(2, matches_of(0, 1, 20, 0, 20));
    // At x = 0 the curvature is [[a + p, -a], [-a, a + p]] with a = 40/4 and p = 1/4: along the
    // difference 2 a + p. The matches of each scattered by 1/4, which is corrected by 40/39 for the
    // one difference that was fitted. To these come five matches with the scatter of the whole
    // field, which itself counts one match more.
    const double a = 10;
    const double p = 0.25;
    const double seen = 40.0 / 39 * 0.25;
    const double field = (40 * seen + 0.25) / (a + 0.25) * 0.25;
    const double scatter = 40 * (40 * seen + 5 * field) / 45;
    // Each one's distance from the mean is half of the difference.
    const double variance = (2 * scatter + p) / ((2 * a + p) * (2 * a + p)) / 2;
    EXPECT_NEAR(table.ratings[0].error95, 1.959964 * std::sqrt(variance) * 400 / std::log(10),
                1e-3);
    EXPECT_DOUBLE_EQ(table.superiority(0, 1), 0.5);
    const auto better = elo_ratings(2, matches_of(0, 1, 30, 0, 10));
    EXPECT_GT(better.superiority(0, 1), 0.99);
    EXPECT_NEAR(better.superiority(0, 1) + better.superiority(1, 0), 1, 1e-12);
}

TEST(Elo, OrderAndSideOfTheResultsPlayNoPart) {
    std::vector<PairResult> results;
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        const std::size_t a = random.below(6);
        const std::size_t b = (a + 1 + random.below(5)) % 6;
        results.push_back({a, b, static_cast<double>(random.below(5)) / 4});
    }
    const auto before = elo_ratings(6, results);
    random.shuffle(std::span<PairResult>(results));
    for (auto& result : results) {
        if (random.below(2) == 0) result = {result.second, result.first, 1 - result.share};
    }
    const auto after = elo_ratings(6, results);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(before.ratings[i].elo, after.ratings[i].elo);
}

TEST(Elo, StaysFiniteForCleanSheetsAndStrangers) {
    auto results = matches_of(0, 1, 10, 0, 0);
    const auto others = matches_of(2, 3, 0, 0, 10);
    results.insert(results.end(), others.begin(), others.end());
    const auto table = elo_ratings(5, results);
    EXPECT_GT(*table.ratings[0].elo, 100);
    EXPECT_LT(*table.ratings[0].elo, 2000);
    EXPECT_NEAR(*table.ratings[0].elo, *table.ratings[3].elo, 1e-6);
    EXPECT_FALSE(table.ratings[4].elo);
    EXPECT_EQ(table.superiority(0, 4), 0.5);
}

TEST(WengLin, EqualPlayersMoveAsTheFormulaSays) {
    // Two equal players: c^2 = 2 (sigma^2 + beta^2); the winner's omega is 1/2, delta 1/4.
    std::vector<Skill> skills(2);
    rate_match(skills, std::vector<RatedSeat>{{0, 1}, {1, 2}});
    const double sigma2 = 25.0 * 25 / 9;
    const double c2 = 2 * (sigma2 + 25.0 * 25 / 36);
    const double c = std::sqrt(c2);
    EXPECT_NEAR(skills[0].mean, 25 + sigma2 / c * 0.5, 1e-9);
    EXPECT_NEAR(skills[1].mean, 25 - sigma2 / c * 0.5, 1e-9);
    const double gamma = 25.0 / 3 / c;
    EXPECT_NEAR(skills[0].deviation, 25.0 / 3 * std::sqrt(1 - gamma * sigma2 / c2 * 0.25), 1e-9);
}

TEST(WengLin, ANewVersionKeepsTheMeanAndIsLessSure) {
    std::vector<Skill> skills(2);
    for (int i = 0; i < 200; ++i) rate_match(skills, std::vector<RatedSeat>{{0, 1}, {1, 1}});
    const auto before = skills[0];
    renew(skills[0]);
    EXPECT_EQ(skills[0].mean, before.mean);
    EXPECT_NEAR(skills[0].deviation, std::hypot(before.deviation, std::sqrt(2.0) * 25 / 6), 1e-9);
    for (int i = 0; i < 5; ++i) renew(skills[0]);
    EXPECT_EQ(skills[0].deviation, Skill{}.deviation) << "never less sure than at first";
}

TEST(WengLin, PlacesOfFourAreKeptAndLevelOnesStayLevel) {
    std::vector<Skill> skills(4);
    rate_match(skills, std::vector<RatedSeat>{{0, 1}, {1, 2}, {2, 3}, {3, 4}});
    EXPECT_TRUE(std::ranges::is_sorted(skills, std::greater(), &Skill::mean));
    EXPECT_NEAR(skills[0].mean + skills[1].mean + skills[2].mean + skills[3].mean, 100, 1e-9);
    std::vector<Skill> level(3);
    rate_match(level, std::vector<RatedSeat>{{0, 1}, {1, 1}, {2, 1}});
    for (const auto& skill : level) EXPECT_NEAR(skill.mean, 25, 1e-9);
    EXPECT_LT(level[0].deviation, 25.0 / 3);
}

TEST(RankIntervals, AreSharpForClearResultsAndWideForNone) {
    std::vector<RatedMatchPoints> clear;
    std::vector<RatedMatchPoints> even;
    for (int i = 0; i < 50; ++i) {
        for (const auto& pair : {std::vector<std::size_t>{0, 1}, {0, 2}, {1, 2}}) {
            clear.push_back({pair, {1, 0}});
            even.push_back({pair, {i % 2 == 0 ? 1.0 : 0.0, i % 2 == 0 ? 0.0 : 1.0}});
        }
    }
    const auto sure = rank_intervals(3, clear, 1, 500);
    const auto unsure = rank_intervals(3, even, 1, 500);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(sure.intervals[i].best, i + 1);
        EXPECT_EQ(sure.intervals[i].worst, i + 1);
        EXPECT_EQ(unsure.intervals[i].best, 1U);
        EXPECT_EQ(unsure.intervals[i].worst, 3U);
    }
    EXPECT_DOUBLE_EQ(sure.first_share[0], 1);
    EXPECT_EQ(unsure.first_share, rank_intervals(3, even, 1, 500).first_share);
}

// What the intervals of Elo ratings promise, against fields whose strengths are known.

TEST(EloIntervals, HoldTheTruthInNineteenOfTwentyCases) {
    struct Case {
        std::vector<double> strengths;
        int cycles;
        double draw_share;
        int runs;
    };
    const std::vector<double> eight{-120, -80, -40, -10, 10, 40, 80, 120};
    const std::vector<Case> cases = {
        {{0, 0}, 300, 0, 1500},     {{30, -30}, 300, 0.5, 1500},  {{50, -50}, 40, 0.3, 1500},
        {{100, -100}, 20, 0, 1500}, {{60, 0, -60}, 50, 0.4, 800}, {eight, 100, 0, 150},
        {eight, 100, 0.5, 150},     {eight, 4, 0.3, 400},
    };
    for (const auto& each : cases) {
        const double held = coverage(each.strengths, each.cycles, each.draw_share, each.runs, 2024);
        const auto what = ::testing::Message() << each.strengths.size() << " bots, " << each.cycles
                                               << " a pair, draws " << each.draw_share;
        EXPECT_GE(held, 0.93) << what;
        EXPECT_LE(held, 0.97) << what;
    }
}

TEST(EloIntervals, OfVeryFewMatchesAreRatherTooWide) {
    // Everybody has one drawn match more than were played. Among so few it weighs much, and it is
    // right where all are about equal.
    EXPECT_GE(coverage(std::vector<double>(8, 0.0), 1, 0, 400, 1), 0.94);
    EXPECT_GE(coverage({-300, -200, -100, -50, 50, 100, 200, 300}, 1, 0, 400, 1), 0.94);
    EXPECT_GE(coverage({240, -240}, 20, 0, 1000, 1), 0.94) << "clean sheets";
}

TEST(EloSuperiority, IsWronglySureAsOftenAsItSays) {
    for (const double draw_share : {0.0, 0.5}) {
        Random random(7);
        constexpr int runs = 3000;
        int sure = 0;
        for (int run = 0; run < runs; ++run) {
            const auto table = elo_ratings(2, round_robin({0, 0}, 200, draw_share, random));
            sure += table.superiority(0, 1) > 0.95 ? 1 : 0;
        }
        EXPECT_NEAR(static_cast<double>(sure) / runs, 0.05, 0.012) << draw_share;
    }
}

TEST(EloGroups, ThatNeverMetAreRatedEachForItself) {
    Random random(3);
    auto results = round_robin({50, -50}, 100, 0, random);
    for (auto other : round_robin({100, 0, -100}, 100, 0, random))
        results.push_back({other.first + 2, other.second + 2, other.share});
    const auto table = elo_ratings(6, results);
    EXPECT_EQ(table.groups, 2U);
    EXPECT_EQ(table.ratings[0].group, table.ratings[1].group);
    EXPECT_NE(table.ratings[0].group, table.ratings[2].group);
    EXPECT_NEAR(*table.ratings[0].elo + *table.ratings[1].elo, 0, 1e-6);
    EXPECT_NEAR(*table.ratings[2].elo + *table.ratings[3].elo + *table.ratings[4].elo, 0, 1e-6);
    // Inside a group as if the other weren't there; between them nothing is known.
    EXPECT_LT(table.ratings[0].error95, 40);
    EXPECT_LT(table.ratings[2].error95, 40);
    EXPECT_EQ(table.superiority(2, 1), 0.5);
    EXPECT_GT(table.superiority(2, 4), 0.99);
}

TEST(EloIntervals, OfLargeFieldsKnowThatOpponentsAreUnsureToo) {
    // The same results twice, the second time with strangers that make the field a large one.
    std::vector<double> strengths;
    for (int i = 0; i < 20; ++i) strengths.push_back(i * 10.0 - 95);
    Random random(9);
    auto results = round_robin(strengths, 2, 0.2, random);
    const auto few = elo_ratings(strengths.size(), results);
    const std::size_t players = dense_players_most + 20;
    for (std::size_t i = strengths.size(); i + 1 < players; ++i)
        results.push_back({i, i + 1, played_share(random, 0, 0.2)});
    const auto many = elo_ratings(players, results);
    for (std::size_t i = 0; i < strengths.size(); ++i) {
        // Drawn by lot, to about a twentieth of itself.
        EXPECT_NEAR(many.ratings[i].error95 / few.ratings[i].error95, 1, 0.2) << i;
        EXPECT_NEAR(*many.ratings[i].elo, *few.ratings[i].elo, 1) << i;
    }
    EXPECT_NEAR(many.superiority(19, 0), few.superiority(19, 0), 0.01);
    EXPECT_NEAR(many.superiority(11, 10), few.superiority(11, 10), 0.05);
}

}  // namespace
}  // namespace referee::rating
