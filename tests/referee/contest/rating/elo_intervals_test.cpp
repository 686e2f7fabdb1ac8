// What the intervals of Elo ratings promise, against fields whose strengths are known.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/referee/contest/rating/simulated_field.h"

namespace referee::rating {
namespace {

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
    for (auto other : round_robin({100, 0, -100}, 100, 0, random)) {
        results.push_back({other.first + 2, other.second + 2, other.share});
    }
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
    for (std::size_t i = strengths.size(); i + 1 < players; ++i) {
        results.push_back({i, i + 1, played_share(random, 0, 0.2)});
    }
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
