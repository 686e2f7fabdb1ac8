#pragma once

// Sets of vertices and graphs as rows of bits: pairing graphs are dense, and most questions about
// them are asked of whole rows.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace referee::pairing {

class VertexSet {
 public:
    static constexpr int word_bits = 64;

    explicit VertexSet(int vertices)
        : words_(static_cast<std::size_t>((vertices + word_bits - 1) / word_bits)) {}

    bool has(int v) const { return (words_[word_of(v)] & bit_of(v)) != 0; }
    void add(int v) { words_[word_of(v)] |= bit_of(v); }
    void remove(int v) { words_[word_of(v)] &= ~bit_of(v); }
    void clear() { words_.assign(words_.size(), 0); }

    VertexSet& operator&=(const VertexSet& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
        return *this;
    }
    VertexSet& operator-=(const VertexSet& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
        return *this;
    }

    std::size_t words() const { return words_.size(); }
    std::uint64_t word(std::size_t index) const { return words_[index]; }

    // Calls visit(v) for the vertices in ascending order until it returns true.
    template <typename Visit>
    bool any_of(Visit&& visit) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1)
                if (visit(vertex_at(i, rest))) return true;
        return false;
    }

    // The vertex of the lowest bit of `rest`, itself a part of word `index`.
    static int vertex_at(std::size_t index, std::uint64_t rest) {
        return static_cast<int>(index) * word_bits + std::countr_zero(rest);
    }

 private:
    static std::size_t word_of(int v) { return static_cast<std::size_t>(v / word_bits); }
    static std::uint64_t bit_of(int v) { return std::uint64_t{1} << (v % word_bits); }

    std::vector<std::uint64_t> words_;
};

// An undirected graph without loops.
class Graph {
 public:
    explicit Graph(int vertices) : rows_(static_cast<std::size_t>(vertices), VertexSet(vertices)) {}

    int vertices() const { return static_cast<int>(rows_.size()); }
    bool has(int u, int v) const { return row(u).has(v); }
    const VertexSet& row(int v) const { return rows_[static_cast<std::size_t>(v)]; }

    void add(int u, int v) {
        rows_[static_cast<std::size_t>(u)].add(v);
        rows_[static_cast<std::size_t>(v)].add(u);
    }
    void remove(int u, int v) {
        rows_[static_cast<std::size_t>(u)].remove(v);
        rows_[static_cast<std::size_t>(v)].remove(u);
    }

    Graph& operator&=(const Graph& other) {
        for (std::size_t v = 0; v < rows_.size(); ++v) rows_[v] &= other.rows_[v];
        return *this;
    }

    // Adds each edge, u < v, for which `wanted(u, v)` is true.
    template <typename Wanted>
    void add_where(Wanted&& wanted) {
        in_blocks([&](int u, int first, int end) {
            for (int v = first; v < end; ++v)
                if (wanted(u, v)) add(u, v);
        });
    }
    // Calls visit(u, v) for each edge, u < v.
    template <typename Visit>
    void for_each_edge(Visit&& visit) const {
        in_blocks([&](int u, int first, int end) {
            const VertexSet& neighbours = row(u);
            for (int v = first; v < end; ++v)
                if (neighbours.has(v)) visit(u, v);
        });
    }

 private:
    // All u < v, as u and some v that follow each other: in such an order that of the rows of a
    // large graph only a few are needed at a time.
    template <typename Visit>
    void in_blocks(Visit&& visit) const {
        const int n = vertices();
        for (int block = 0; block < n; block += VertexSet::word_bits) {
            const int end = std::min(block + VertexSet::word_bits, n);
            for (int u = 0; u < end; ++u) visit(u, std::max(block, u + 1), end);
        }
    }

    std::vector<VertexSet> rows_;
};

// Vertices are counted by int, as in the literature on matchings; this is where one lies in a
// vector.
inline std::size_t at(int v) {
    return static_cast<std::size_t>(v);
}

}  // namespace referee::pairing
