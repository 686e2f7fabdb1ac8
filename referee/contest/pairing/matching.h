#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "referee/contest/pairing/weight.h"

// Maximum-weight matching in a general graph by the primal-dual method (Edmonds): exact, with
// weights of any width, and with a warm start, so that an optimum can be refined edge by edge.
//
// Every vertex v has a dual y(v) and every blossom B (an odd set of vertices) a dual z(B) >= 0.
// The slack of an edge, y(u) + y(v) - 4 w(u, v), is never negative outside of blossoms, and zero
// for matched edges. Weights are taken four times so that halves of slacks stay whole.

namespace referee::pairing {

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

    // A starting dual, in units of four weights; even. Without any, a plain start is made. All
    // slacks must come out as not negative.
    void set_dual(int v, const W& dual) { dual_[at(v)] = dual; }
    void start_from_duals() { started_ = true; }

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

}  // namespace referee::pairing
