// Solo games on common seeds, against bots whose worth is known.

#include <gtest/gtest.h>

#include <cmath>

#include "referee/contest/certainty/significance.h"
#include "referee/contest/rating/random.h"

namespace referee::certainty {
namespace {

using rating::Random;
using Seeds = std::vector<std::vector<std::optional<double>>>;

constexpr std::uint64_t seed_of_solo_tables = 2026;
constexpr int solo_simulations = 10'000;
constexpr double solo_above_level = 0.0066;

enum class Luck { bell, skewed, whole_points };

double luck_of(Luck luck, Random& random) {
    if (luck == Luck::bell) return random.normal();
    const double waited = -std::log(1 - random.unit());
    return luck == Luck::skewed ? waited : std::floor(waited);
}

// A seed is worth much to all alike; beside it everybody has luck, and its own worth.
Seeds played_alone(const std::vector<double>& worths, int seeds, Luck luck, Random& random) {
    constexpr double spread_of_seeds = 10;
    Seeds scores;
    for (int i = 0; i < seeds; ++i) {
        const double level = std::floor(spread_of_seeds * random.normal());
        auto& seed = scores.emplace_back();
        for (const double worth : worths) seed.emplace_back(level + worth + luck_of(luck, random));
    }
    return scores;
}

TEST(CommonSeeds, TellBotsApartByChanceNoMoreOftenThanTheLevel) {
    struct Case {
        const char* what;
        std::size_t bots;
        int seeds;
        Luck luck;
    };
    const std::vector<Case> cases{{"two, bell", 2, 10, Luck::bell},
                                  {"two, skewed", 2, 10, Luck::skewed},
                                  {"two, whole", 2, 20, Luck::whole_points},
                                  {"six, bell", 6, 20, Luck::bell},
                                  {"six, skewed", 6, 20, Luck::skewed},
                                  {"six, whole", 6, 50, Luck::whole_points},
                                  {"six, few", 6, 4, Luck::bell}};
    Random random(seed_of_solo_tables);
    for (const auto& each : cases) {
        int told = 0;
        int held = 0;
        int intervals = 0;
        for (int run = 0; run < solo_simulations; ++run) {
            const auto scores =
                played_alone(std::vector<double>(each.bots, 0.0), each.seeds, each.luck, random);
            const auto order = order_on_seeds(each.bots, scores);
            told += order.told_pairs > 0 ? 1 : 0;
            // Of more than two the neighbours' differences are chosen by their smallness.
            if (each.bots > 2 || !order.next[0].interval) continue;
            ++intervals;
            held += order.next[0].interval->has(0) ? 1 : 0;
        }
        const double wrong = static_cast<double>(told) / solo_simulations;
        const double share = intervals > 0 ? static_cast<double>(held) / intervals : 1;
        EXPECT_LE(wrong, seeds_alpha + solo_above_level) << each.what;
        EXPECT_GE(share, 0.95 - solo_above_level) << each.what;
    }
}

TEST(CommonSeeds, TellWhoIsBetterAndShareWhereTheyDoNot) {
    Random random(4);
    const auto order = order_on_seeds(3, played_alone({0, 3, 3}, 40, Luck::bell, random));
    EXPECT_EQ(order.places, (std::vector<std::size_t>{3, 1, 1}));
    EXPECT_EQ(order.order.back(), 0U);
    ASSERT_EQ(order.next.size(), 2U);
    EXPECT_FALSE(order.next[0].told);
    EXPECT_TRUE(order.next[1].told);
    EXPECT_TRUE(order.next[1].interval->has(3));
}

TEST(CommonSeeds, SayHowManySeedsItTakes) {
    // Differences of 1 with a deviation of the square root of two: (2.8 * 1.41)^2 = 15.7 seeds, and
    // two more as the deviation isn't known.
    Random random(4);
    const auto order = order_on_seeds(2, played_alone({1, 0}, 20'000, Luck::bell, random));
    EXPECT_NEAR(static_cast<double>(order.next[0].needed), 18, 1);
    int told = 0;
    for (int run = 0; run < 2000; ++run) {
        const auto few = order_on_seeds(2, played_alone({1, 0}, 18, Luck::bell, random));
        told += few.next[0].told ? 1 : 0;
    }
    EXPECT_NEAR(told / 2000.0, 0.8, 0.03);
}

TEST(CommonSeeds, ThatAreFewTellNothing) {
    const Seeds same{{5, 3}, {6, 4}, {7, 5}};
    const auto order = order_on_seeds(2, same);
    EXPECT_FALSE(order.next[0].told) << "three equal differences: 2 / 2^3";
    EXPECT_FALSE(order.next[0].interval.has_value());
    EXPECT_NEAR(order.next[0].p, 0.25, 1e-12);
    EXPECT_TRUE(order_on_seeds(2, Seeds(6, {5, 3})).next[0].told);
}

TEST(CommonSeeds, CountOnlyWhatBothPlayed) {
    const Seeds scores{{1, 0, {}}, {2, 3, {}}, {9, {}, {}}};
    const auto order = order_on_seeds(3, scores);
    EXPECT_EQ(order.order.size(), 2U);
    EXPECT_EQ(order.next[0].seeds, 2U);
    EXPECT_EQ(order.next[0].difference, 0);
    EXPECT_EQ(order.next[0].p, 1);
    EXPECT_EQ(order.places[2], 0U);
}

}  // namespace
}  // namespace referee::certainty
