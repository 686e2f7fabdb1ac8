#pragma once

// Maximum-weight matching in a general graph by the primal-dual method (Edmonds): exact, with
// weights of any width, and with a warm start, so that an optimum can be refined edge by edge.
//
// Every vertex v has a dual y(v) and every blossom B (an odd set of vertices) a dual z(B) >= 0.
// The slack of an edge, y(u) + y(v) - 4 w(u, v), is never negative outside of blossoms, and zero
// for matched edges. Weights are taken four times so that halves of slacks stay whole.

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace referee::pairing {

// A whole number of a fixed number of 64-bit words, two's complement: wide enough to hold all
// pairing criteria one after the other, each in bits of its own, so that comparing sums of
// weights compares the criteria exactly and in order.
template <std::size_t Words>
class Weight {
 public:
    static constexpr std::size_t bits = 64 * Words;

    constexpr Weight() = default;

    // value * 2^shift, added. Requires: value >= 0, and the result fits.
    constexpr void add(std::uint64_t value, std::size_t shift) {
        const std::size_t word = shift / word_bits;
        const std::size_t offset = shift % word_bits;
        add_word(value << offset, word);
        if (offset != 0 && word + 1 < Words) add_word(value >> (word_bits - offset), word + 1);
    }

    constexpr Weight& operator+=(const Weight& other) {
        unsigned carry = 0;
        for (std::size_t i = 0; i < Words; ++i) {
            const std::uint64_t partial = words_[i] + carry;
            const std::uint64_t sum = partial + other.words_[i];
            carry = static_cast<unsigned>(partial < carry) + static_cast<unsigned>(sum < partial);
            words_[i] = sum;
        }
        return *this;
    }

    constexpr Weight& operator-=(const Weight& other) {
        unsigned borrow = 0;
        for (std::size_t i = 0; i < Words; ++i) {
            const std::uint64_t partial = words_[i] - other.words_[i];
            const std::uint64_t difference = partial - borrow;
            borrow = static_cast<unsigned>(words_[i] < other.words_[i]) +
                     static_cast<unsigned>(partial < borrow);
            words_[i] = difference;
        }
        return *this;
    }

    friend constexpr Weight operator+(Weight a, const Weight& b) { return a += b; }
    friend constexpr Weight operator-(Weight a, const Weight& b) { return a -= b; }

    constexpr Weight doubled() const { return *this + *this; }

    // Requires: the number is even.
    constexpr Weight halved() const {
        Weight half;
        for (std::size_t i = 0; i + 1 < Words; ++i)
            half.words_[i] = (words_[i] >> 1) | (words_[i + 1] << (word_bits - 1));
        half.words_[Words - 1] =
            static_cast<std::uint64_t>(static_cast<std::int64_t>(words_[Words - 1]) >> 1);
        return half;
    }

    constexpr bool is_zero() const {
        std::uint64_t any = 0;
        for (const std::uint64_t word : words_) any |= word;
        return any == 0;
    }

    constexpr bool operator==(const Weight&) const = default;

    constexpr std::strong_ordering operator<=>(const Weight& other) const {
        const auto top = static_cast<std::int64_t>(words_[Words - 1]);
        const auto other_top = static_cast<std::int64_t>(other.words_[Words - 1]);
        if (top != other_top) return top <=> other_top;
        for (std::size_t i = Words - 1; i-- > 0;)
            if (words_[i] != other.words_[i]) return words_[i] <=> other.words_[i];
        return std::strong_ordering::equal;
    }

 private:
    static constexpr std::size_t word_bits = 64;

    constexpr void add_word(std::uint64_t value, std::size_t word) {
        words_[word] += value;
        bool carry = words_[word] < value;
        while (carry && ++word < Words) carry = ++words_[word] == 0;
    }

    std::array<std::uint64_t, Words> words_{};  // the least significant first
};

// A part of what an edge is worth: value * 2^shift.
struct Term {
    std::uint64_t value = 0;
    std::size_t shift = 0;
};

// Those of one edge: one for each criterion at most.
class Terms {
 public:
    void push_back(const Term& term) { terms_.at(count_++) = term; }
    Term* begin() { return terms_.data(); }
    Term* end() { return begin() + count_; }

 private:
    static constexpr std::size_t criteria_max = 16;
    std::array<Term, criteria_max> terms_{};
    std::size_t count_ = 0;
};

class Valuation {
 public:
    virtual ~Valuation() = default;

    // Wide enough for the sum over any matching.
    virtual std::size_t bits() const = 0;

    // Appends the terms of edge (u, v). Requires: u < v.
    virtual void terms(int u, int v, Terms& terms) const = 0;
};

// Gives bits to quantities, the least significant ones first.
class BitLayout {
 public:
    struct Place {
        std::size_t shift = 0;
        bool used = false;  // a quantity that is always zero has no bits
    };

    Place place(std::uint64_t greatest);
    std::size_t bits() const { return bits_; }

 private:
    std::size_t bits_ = 0;
};

enum class Coverage : std::uint8_t {
    perfect,  // every vertex must be matched
    partial,  // a vertex may stay alone, and then counts nothing
};

template <typename W>
class Matching {
 public:
    static constexpr int none = -1;

    Matching(int vertices, Coverage coverage);

    // Requires: before solve(); the weight is not negative with partial coverage.
    void set_edge(int u, int v, const W& weight);
    bool has_edge(int u, int v) const { return edge_[cell(u, v)] != 0; }

    // False when perfect coverage is impossible; then nothing else may be asked.
    bool solve();

    int vertices() const { return vertices_; }
    int mate(int v) const { return mate_[at(v)]; }
    const W& dual(int v) const { return dual_[at(v)]; }
    bool is_tight(int u, int v) const { return slack(u, v).is_zero(); }

    // Whether some blossom holds a part of the optimum, so that it is more than tight edges.
    bool has_heavy_blossom() const;

    // Adds bonus[u] to each edge (v, u), and solves again from where it stands. Requires:
    // solve() has answered true.
    void add_bonus(int v, const std::vector<W>& bonus);

    // From now on v may not stay alone. Requires: it does not at present.
    void require_mate(int v);

    // Takes all edges of v away but those to the vertices u with keep[u]. Requires: some optimum
    // does without them.
    void keep_edges(int v, const std::vector<bool>& keep);

 private:
    enum class Label : std::uint8_t { free, outer, inner };
    struct Link {
        int from = none;
        int to = none;
    };
    struct Blossom {
        std::vector<int> children;  // around the odd cycle, the one with the base first
        std::vector<Link> links;    // links[i] joins children[i] to the next one around
        std::vector<int> vertices;
        W dual;
    };

    static std::size_t at(int v) { return static_cast<std::size_t>(v); }
    std::size_t cell(int u, int v) const { return at(u) * at(vertices_) + at(v); }
    bool is_blossom(int node) const { return node >= vertices_; }
    Blossom& blossom(int node) { return blossoms_[at(node - vertices_)]; }
    const Blossom& blossom(int node) const { return blossoms_[at(node - vertices_)]; }
    Label label_of(int v) const { return label_[at(top_[at(v)])]; }
    W slack(int u, int v) const { return dual_[at(u)] + dual_[at(v)] - weight_[cell(u, v)]; }
    bool wants_mate(int v) const;

    template <typename Visit>
    void each_vertex(int node, Visit&& visit) const;

    // matching_setup.cpp: starting, warm starts
    void plain_start();
    void touch_some_edge(int v);
    void match_greedily();
    void force_open(int v);
    void repair();

    // matching_search.cpp: one alternating forest, then its shapes
    bool search(const std::vector<int>& roots);
    void begin_search(const std::vector<int>& roots);
    bool scan(int u);
    bool meet(int u, int v);
    void make_outer(int node);
    void make_inner(int node, Link via);
    bool adjust();
    bool find_step(W& step);
    void take_step(const W& step);
    bool after_step();
    void refresh_nearest(int v);
    void expand_spent();

    int common_node(int u, int v);
    std::vector<int> climb(int from, int stop, std::vector<Link>& links) const;
    void shrink(int u, int v, int ancestor);
    void expand(int node);
    void dissolve(int node);
    void dissolve_spent();
    int child_holding(int node, int v) const;
    void rebase(int node, int v);
    void rematch_link(int node, std::size_t index);
    void augment_to_root(int v, int new_mate);

    int vertices_;
    bool started_ = false;
    bool stuck_ = false;
    std::vector<W> weight_;  // four times the weight
    std::vector<std::uint8_t> edge_;
    std::vector<W> dual_;
    std::vector<char> may_be_alone_;  // then its dual is not negative, and zero when it is alone
    std::vector<int> mate_;
    std::vector<int> top_;      // of each vertex: the outermost node that holds it
    std::vector<int> nearest_;  // of each vertex: the outer one with the least slack
    // Of each node; nodes are vertices, then blossoms.
    std::vector<int> parent_;
    std::vector<int> base_;
    std::vector<Label> label_;
    std::vector<Link> via_;  // how an inner node was reached, from outside
    std::vector<int> trail_;
    std::vector<Blossom> blossoms_;
    std::vector<int> unused_;  // blossom nodes
    std::deque<int> queue_;
    int stamp_ = 0;
};

template <typename W>
template <typename Visit>
void Matching<W>::each_vertex(int node, Visit&& visit) const {
    if (!is_blossom(node)) {
        visit(node);
        return;
    }
    for (const int v : blossom(node).vertices) visit(v);
}

}  // namespace referee::pairing

// The widths of weight that exist. matching_search.cpp and matching_setup.cpp each make a part of
// each.
#define REFEREE_INSTANTIATE_MATCHING()   \
    template class Matching<Weight<1>>;  \
    template class Matching<Weight<2>>;  \
    template class Matching<Weight<4>>;  \
    template class Matching<Weight<8>>;  \
    template class Matching<Weight<16>>; \
    template class Matching<Weight<64>>;
