#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "referee/contest/pairing/cover.h"
#include "referee/contest/pairing/matching.h"

// The weighted matching against the best of all matchings, found by trying every subset of
// vertices.

namespace referee::pairing {
namespace {

using W = Weight<2>;

struct Example {
    int vertices = 0;
    std::vector<std::vector<int>> weights;  // -1: no edge
};

Example random_example(std::mt19937_64& random, int vertices, int heaviest, int percent) {
    Example example{vertices, {}};
    const auto n = at(vertices);
    example.weights.assign(n, std::vector<int>(n, -1));
    for (std::size_t u = 0; u < n; ++u)
        for (std::size_t v = 0; v < u; ++v)
            if (static_cast<int>(random() % 100) < percent)
                example.weights[u][v] = example.weights[v][u] =
                    static_cast<int>(random() % static_cast<std::uint64_t>(heaviest + 1));
    return example;
}

// The greatest weight of a matching; nothing if it must be perfect and can't.
std::optional<int> best_by_trial(const Example& example, bool perfect) {
    const auto n = static_cast<std::size_t>(example.vertices);
    std::vector<std::optional<int>> best(std::size_t{1} << n);
    best[0] = 0;
    for (std::size_t set = 1; set < best.size(); ++set) {
        std::size_t first = 0;
        while (((set >> first) & 1U) == 0) ++first;
        const std::size_t rest = set & ~(std::size_t{1} << first);
        if (!perfect) best[set] = best[rest];
        for (std::size_t v = first + 1; v < n; ++v) {
            const std::size_t pair = std::size_t{1} << v;
            if ((rest & pair) == 0 || example.weights[first][v] < 0 || !best[rest & ~pair])
                continue;
            const int sum = *best[rest & ~pair] + example.weights[first][v];
            if (!best[set] || sum > *best[set]) best[set] = sum;
        }
    }
    return best.back();
}

W weight_of(int value) {
    W weight;
    weight.add(static_cast<std::uint64_t>(value), 0);
    return weight;
}

Matching<W> matching_of(const Example& example, Coverage coverage) {
    Matching<W> matching(example.vertices, coverage);
    for (int u = 0; u < example.vertices; ++u)
        for (int v = 0; v < u; ++v)
            if (const int weight = example.weights[at(u)][at(v)]; weight >= 0)
                matching.set_edge(u, v, weight_of(weight));
    return matching;
}

int weight_found(const Example& example, const Matching<W>& matching) {
    int sum = 0;
    for (int v = 0; v < example.vertices; ++v) {
        const int mate = matching.mate(v);
        if (mate == Matching<W>::none) continue;
        EXPECT_EQ(matching.mate(mate), v);
        const int weight = example.weights[at(v)][at(mate)];
        EXPECT_GE(weight, 0);
        if (v < mate) sum += weight;
    }
    return sum;
}

// Solves, then changes weights around one vertex after the other, and compares each time.
void compare(std::mt19937_64& random, Example example, Coverage coverage) {
    const bool perfect = coverage == Coverage::perfect;
    Matching<W> matching = matching_of(example, coverage);
    const auto expected = best_by_trial(example, perfect);
    ASSERT_EQ(matching.solve(), expected.has_value());
    if (!expected) return;
    ASSERT_EQ(weight_found(example, matching), *expected);
    for (int v = 0; v < example.vertices; ++v) {
        std::vector<W> bonus;
        for (int u = 0; u < example.vertices; ++u) {
            const int more = static_cast<int>(random() % 4);
            bonus.push_back(weight_of(more));
            int& there = example.weights[at(v)][at(u)];
            if (there < 0) continue;
            there += more;
            example.weights[at(u)][at(v)] = there;
        }
        matching.add_bonus(v, bonus);
        ASSERT_EQ(weight_found(example, matching), *best_by_trial(example, perfect));
        std::vector<bool> keep(at(example.vertices));
        for (int u = 0; u < example.vertices; ++u) {
            keep[at(u)] = u == matching.mate(v) || random() % 2 == 0;
            if (keep[at(u)]) continue;
            example.weights[at(u)][at(v)] = example.weights[at(v)][at(u)] = -1;
        }
        matching.keep_edges(v, keep);
        ASSERT_EQ(weight_found(example, matching), *best_by_trial(example, perfect));
    }
}

struct GraphCase {
    const char* name;
    int heaviest;
    int percent;
};

class MatchingByTrial : public testing::TestWithParam<GraphCase> {};

TEST_P(MatchingByTrial, Agrees) {
    constexpr int graphs = 1500;
    constexpr std::uint64_t seed = 20260201;
    for (const auto coverage : {Coverage::perfect, Coverage::partial}) {
        std::mt19937_64 random(seed);
        for (int i = 0; i < graphs && !HasFatalFailure(); ++i) {
            const int vertices = 2 + static_cast<int>(random() % 10);
            compare(random,
                    random_example(random, vertices, GetParam().heaviest, GetParam().percent),
                    coverage);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Graphs, MatchingByTrial,
                         testing::Values(GraphCase{"sparse", 3, 35}, GraphCase{"dense", 2, 90},
                                         GraphCase{"heavy", 100, 70}),
                         [](const auto& shown) { return std::string(shown.param.name); });

Weight<2> bit(std::size_t shift, std::uint64_t value = 1) {
    Weight<2> weight;
    weight.add(value, shift);
    return weight;
}

TEST(Weight, CarriesAndBorrowsAcrossWordsAndBelowZero) {
    const Weight<2> zero;
    const Weight<2> all_ones = bit(64) - bit(0);
    EXPECT_EQ(all_ones + bit(0), bit(64));
    EXPECT_LT(all_ones, bit(64));
    EXPECT_EQ(bit(63).doubled(), bit(64));
    EXPECT_EQ(bit(64).halved(), bit(63));
    EXPECT_EQ(bit(62, 7), bit(62) + bit(63) + bit(64));
    const Weight<2> minus_two = zero - bit(1);
    EXPECT_LT(minus_two, zero);
    EXPECT_LT(zero - bit(70), minus_two);
    EXPECT_EQ(minus_two.halved(), zero - bit(0));
    EXPECT_TRUE((minus_two + bit(1)).is_zero());
    Weight<1> five_shifted;
    five_shifted.add(5, 2);
    Weight<1> twenty;
    twenty.add(20, 0);
    EXPECT_EQ(five_shifted, twenty);
    EXPECT_EQ(twenty.halved().doubled(), twenty);
}

// By the set of vertices: how many of them a matching leaves exposed at least.
std::vector<int> least_exposed(const Graph& graph) {
    std::vector<int> least(std::size_t{1} << graph.vertices(), 0);
    for (std::size_t set = 1; set < least.size(); ++set) {
        int first = 0;
        while (((set >> first) & 1U) == 0) ++first;
        const std::size_t rest = set & ~(std::size_t{1} << first);
        least[set] = least[rest] + 1;
        for (int v = first + 1; v < graph.vertices(); ++v)
            if (((rest >> v) & 1U) && graph.has(first, v))
                least[set] = std::min(least[set], least[rest & ~(std::size_t{1} << v)]);
    }
    return least;
}

Graph random_graph(std::mt19937_64& random, int vertices, std::uint64_t percent) {
    Graph graph(vertices);
    for (int v = 0; v < vertices; ++v)
        for (int u = 0; u < v; ++u)
            if (random() % 100 < percent) graph.add(u, v);
    return graph;
}

TEST(Cover, AgreesWithTrial) {
    constexpr int graphs = 4000;
    std::mt19937_64 random(7);
    for (int i = 0; i < graphs; ++i) {
        const int n = 1 + static_cast<int>(random() % 11);
        const Graph graph = random_graph(random, n, 10 + random() % 70);
        const auto least = least_exposed(graph);
        const std::size_t all = least.size() - 1;
        Cover cover(graph);
        const int exposed = cover.maximise();
        ASSERT_EQ(exposed, least[all]);
        int found = 0;
        for (int v = 0; v < n; ++v) {
            if (!cover.covers(v)) {
                ++found;
                continue;
            }
            ASSERT_EQ(cover.mate(cover.mate(v)), v);
            ASSERT_TRUE(graph.has(v, cover.mate(v)));
        }
        ASSERT_EQ(found, exposed);
        if (exposed != 1) continue;
        int alone = 0;
        while (cover.covers(alone)) ++alone;
        const VertexSet possible = cover.exposable(alone);
        for (int v = 0; v < n; ++v)
            ASSERT_EQ(possible.has(v), least[all & ~(std::size_t{1} << v)] == 0) << v;
        for (int v = 0; v < n; ++v) {
            if (!possible.has(v)) continue;
            cover.expose(v);
            ASSERT_FALSE(cover.covers(v));
            break;
        }
    }
}

TEST(Cover, PutsTheFirstVerticesFirst) {
    // A path 0-1-2: either end can be left, and it is to be the later one.
    Graph graph(3);
    graph.add(0, 1);
    graph.add(1, 2);
    Cover cover(graph);
    cover.match(1, 2);
    EXPECT_EQ(cover.maximise(1), 1);
    EXPECT_TRUE(cover.covers(1));
}

}  // namespace
}  // namespace referee::pairing
