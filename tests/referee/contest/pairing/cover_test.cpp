#include "referee/contest/pairing/cover.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

// Matchings by number against trial of everything.

namespace referee::pairing {
namespace {

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
