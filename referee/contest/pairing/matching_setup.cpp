#include <algorithm>
#include <numeric>

#include "protocol/base/assertion.h"
#include "referee/contest/pairing/matching.h"

namespace referee::pairing {

template <typename W>
Matching<W>::Matching(int vertices, Coverage coverage)
    : vertices_(vertices),
      weight_(at(vertices) * at(vertices)),
      edge_(at(vertices) * at(vertices), 0),
      dual_(at(vertices)),
      may_be_alone_(at(vertices), coverage == Coverage::partial ? 1 : 0),
      mate_(at(vertices), none),
      top_(at(vertices)),
      nearest_(at(vertices), none),
      parent_(2 * at(vertices), none),
      base_(2 * at(vertices)),
      label_(2 * at(vertices), Label::free),
      via_(2 * at(vertices)),
      trail_(2 * at(vertices), 0),
      blossoms_(at(vertices)) {
    std::iota(top_.begin(), top_.end(), 0);
    std::iota(base_.begin(), base_.end(), 0);
    for (int node = 2 * vertices; node-- > vertices;) unused_.push_back(node);
}

template <typename W>
void Matching<W>::set_edge(int u, int v, const W& weight) {
    const W fourfold = weight.doubled().doubled();
    for (const std::size_t place : {cell(u, v), cell(v, u)}) {
        weight_[place] = fourfold;
        edge_[place] = 1;
    }
}

template <typename W>
bool Matching<W>::wants_mate(int v) const {
    return mate(v) == none && !(may_be_alone_[at(v)] && dual_[at(v)].is_zero());
}

template <typename W>
void Matching<W>::plain_start() {
    for (int v = 0; v < vertices_; ++v) {
        W most;
        for (int u = 0; u < vertices_; ++u)
            if (has_edge(v, u)) most = std::max(most, weight_[cell(v, u)]);
        dual_[at(v)] = most.halved();
    }
    for (int v = 0; v < vertices_; ++v)
        if (!may_be_alone_[at(v)]) touch_some_edge(v);
}

// Lowers a dual as far as it goes, below zero too, so that the vertex has a tight edge to begin
// with: without it, blossoms arise where none are needed.
template <typename W>
void Matching<W>::touch_some_edge(int v) {
    bool any = false;
    W lowest;
    for (int u = 0; u < vertices_; ++u) {
        if (!has_edge(v, u)) continue;
        const W needed = weight_[cell(v, u)] - dual_[at(u)];
        if (!any || lowest < needed) lowest = needed;
        any = true;
    }
    if (any) dual_[at(v)] = lowest;
}

template <typename W>
void Matching<W>::match_greedily() {
    for (int v = 0; v < vertices_; ++v) {
        if (!wants_mate(v) || top_[at(v)] != v) continue;
        for (int u = 0; u < vertices_; ++u) {
            if (mate(u) != none || top_[at(u)] != u || !has_edge(v, u) || !is_tight(v, u)) continue;
            mate_[at(u)] = v;
            mate_[at(v)] = u;
            break;
        }
    }
}

template <typename W>
bool Matching<W>::solve() {
    if (!started_) plain_start();
    started_ = true;
    for (;;) {
        match_greedily();
        std::vector<int> roots;
        for (int v = 0; v < vertices_; ++v)
            if (wants_mate(v)) roots.push_back(v);
        if (roots.empty()) return true;
        if (!search(roots)) return false;
    }
}

template <typename W>
bool Matching<W>::has_heavy_blossom() const {
    for (int v = 0; v < vertices_; ++v)
        for (int node = parent_[at(v)]; node != none; node = parent_[at(node)])
            if (!blossom(node).dual.is_zero()) return true;
    return false;
}

// Takes all blossoms around v apart, at the price of exposing the vertices that they joined to
// the rest.
template <typename W>
void Matching<W>::force_open(int v) {
    while (top_[at(v)] != v) {
        const int node = top_[at(v)];
        const W half = blossom(node).dual.halved();
        for (const int u : blossom(node).vertices) dual_[at(u)] += half;
        const int base = base_[at(node)];
        const int partner = mate(base);
        if (partner != none && !half.is_zero()) {
            mate_[at(base)] = none;
            mate_[at(partner)] = none;
        }
        dissolve(node);
    }
}

template <typename W>
void Matching<W>::repair() {
    for (int v = 0; v < vertices_; ++v) {
        if (!wants_mate(v)) continue;
        const bool repaired = search({v});
        REFEREE_ASSERT(repaired);
    }
}

template <typename W>
void Matching<W>::add_bonus(int v, const std::vector<W>& bonus) {
    force_open(v);
    if (const int partner = mate(v); partner != none) {
        mate_[at(partner)] = none;
        mate_[at(v)] = none;
    }
    for (int u = 0; u < vertices_; ++u) {
        if (!has_edge(v, u)) continue;
        weight_[cell(v, u)] += bonus[at(u)].doubled().doubled();
        weight_[cell(u, v)] = weight_[cell(v, u)];
    }
    touch_some_edge(v);
    if (may_be_alone_[at(v)]) dual_[at(v)] = std::max(dual_[at(v)], W{});
    repair();
}

template <typename W>
void Matching<W>::require_mate(int v) {
    REFEREE_ASSERT(mate(v) != none);
    may_be_alone_[at(v)] = 0;
}

// A blossom may rest on any of its edges, so those around v are opened first.
template <typename W>
void Matching<W>::keep_edges(int v, const std::vector<bool>& keep) {
    force_open(v);
    for (int u = 0; u < vertices_; ++u) {
        if (keep[at(u)] || !has_edge(v, u)) continue;
        edge_[cell(u, v)] = 0;
        edge_[cell(v, u)] = 0;
        if (mate(v) != u) continue;
        mate_[at(u)] = none;
        mate_[at(v)] = none;
    }
    repair();
}

REFEREE_INSTANTIATE_MATCHING()

}  // namespace referee::pairing
