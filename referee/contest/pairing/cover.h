#pragma once

#include <vector>

#include "referee/contest/pairing/graph.h"

// Matchings by number alone, without weights: how many can be paired, and who could be the one
// left over.

namespace referee::pairing {

// Grows a matching in a graph; a vertex once covered stays covered unless it is exposed by name.
// The graph must outlive the object; edges that are in use must not be taken away from it.
class Cover {
 public:
    static constexpr int none = -1;

    explicit Cover(const Graph& graph);

    int mate(int v) const { return mate_[static_cast<std::size_t>(v)]; }
    bool covers(int v) const { return mate(v) != none; }

    void match(int u, int v);  // requires: both are exposed
    void unmatch(int v);       // v and its mate; nothing when v is exposed

    // Covers `root`, an exposed vertex, and one more by an augmenting path; false if there is none.
    bool augment(int root);

    // Covers as many as can be covered: as many of the vertices below `limit` first, in order.
    // Returns how many of all stay exposed.
    int maximise(int limit = 0);

    // The vertices that could be exposed instead of `root`, an exposed one, with all others
    // covered as they are; `barred`, if any, is not to be touched. Stops early when `wanted` is
    // among them. Requires for the answer to be whole: no augmenting path starts at `root`.
    const VertexSet& exposable(int root, int barred = none, int wanted = none);

    // Exposes `v` instead of the root of the latest exposable(). Requires: v was among its answer.
    void expose(int v);

 private:
    // An exposed vertex at the other end of an augmenting path, or none.
    int search(int root, int barred, int wanted);
    int common_base(int u, int v);
    void mark_path(int v, int base, int child);
    void shrink(int u, int v);
    void reach_outer(int v);
    void flip(int v);

    const Graph& graph_;
    std::vector<int> mate_;
    std::vector<int> parent_;  // of inner vertices, and of all inside a blossom
    std::vector<int> base_;
    std::vector<int> queue_;
    std::vector<int> trail_;  // stamps of common_base
    std::vector<char> in_blossom_;
    int stamp_ = 0;
    VertexSet outer_;
    VertexSet inner_;  // reached and not outer
};

}  // namespace referee::pairing
