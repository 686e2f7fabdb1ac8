#include <gtest/gtest.h>

#include <vector>

#include "referee/contest/certainty/significance.h"

// Cycles of pairs that are made by hand: longer ones, and of pairs that only repeat their games.

namespace referee::certainty {
namespace {

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

}  // namespace
}  // namespace referee::certainty
