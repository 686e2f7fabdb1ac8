#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <vector>

#include "referee/contest/certainty/significance.h"
#include "referee/contest/rating/random.h"

// Student's distribution and coins, against adding up and counting.

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

// Cycles of pairs that are made by hand: longer ones, and of pairs that only repeat their games.

void win(PairRecord& pair, bool first_wins) {
    ++pair.matches;
    ++pair.distinct;
    pair.share += first_wins ? 1 : 0;
    pair.squares += first_wins ? 1 : 0;
    ++(first_wins ? pair.won : pair.lost);
}

// Pairs of a ring, each beating the next, that met nobody else.
std::vector<PairRecord> ring_of(std::size_t players, std::size_t first) {
    std::vector<PairRecord> pairs;
    for (std::size_t i = 0; i < players; ++i) {
        auto& pair = pairs.emplace_back(PairRecord{.a = first + i, .b = first + (i + 1) % players});
        for (int match = 0; match < 40; ++match) win(pair, true);
    }
    return pairs;
}

TEST(Cycles, OfMoreThanThreeAreToldWhereNoThreeAre) {
    auto pairs = ring_of(5, 4);
    auto search = find_cycles(9, pairs);
    ASSERT_EQ(search.found, 1U);
    EXPECT_EQ(search.cycles[0].players, (std::vector<std::size_t>{4, 5, 6, 7, 8}));
    EXPECT_GT(search.cycles[0].p, 0);
    EXPECT_LT(search.cycles[0].p, 1e-6);
    EXPECT_EQ(search.triples, 0U);
    // The shortest are told; a cycle of five beside one of four is not.
    for (const auto& pair : ring_of(4, 0)) pairs.push_back(pair);
    search = find_cycles(9, pairs);
    ASSERT_EQ(search.found, 1U);
    EXPECT_EQ(search.cycles[0].players, (std::vector<std::size_t>{0, 1, 2, 3}));
    for (int match = 0; match < 40; ++match)
        win(match == 0 ? pairs.emplace_back(PairRecord{.a = 0, .b = 2}) : pairs.back(), false);
    search = find_cycles(9, pairs);
    ASSERT_EQ(search.found, 1U);
    EXPECT_EQ(search.cycles[0].players, (std::vector<std::size_t>{0, 1, 2}));
    pairs.pop_back();
    pairs.erase(pairs.begin() + 5);  // the ring of four is open
    EXPECT_EQ(find_cycles(9, pairs).cycles.front().players.size(), 5U);
    EXPECT_EQ(find_cycles(4, std::vector(pairs.begin() + 5, pairs.end())).found, 0U);
}

TEST(Cycles, OfPairsThatOnlyRepeatAreKnown) {
    std::vector<PairRecord> pairs{{.a = 0, .b = 1}, {.a = 1, .b = 2}, {.a = 0, .b = 2}};
    win(pairs[0], true);
    win(pairs[1], true);
    win(pairs[2], false);
    EXPECT_EQ(find_cycles(3, pairs).found, 0U);
    for (auto& pair : pairs) pair.settled = true;
    ASSERT_EQ(find_cycles(3, pairs).found, 1U);
    EXPECT_EQ(find_cycles(3, pairs).cycles[0].p, 0);
}

// Solo games on common seeds, against bots whose worth is known.

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
