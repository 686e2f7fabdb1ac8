#include "referee/contest/pairing/cover.h"

#include <numeric>

#include "protocol/base/assertion.h"

namespace referee::pairing {

Cover::Cover(const Graph& graph)
    : graph_(graph),
      mate_(at(graph.vertices()), none),
      parent_(mate_),
      base_(mate_),
      trail_(at(graph.vertices()), 0),
      in_blossom_(at(graph.vertices()), 0),
      outer_(graph.vertices()),
      inner_(graph.vertices()) {}

void Cover::match(int u, int v) {
    REFEREE_ASSERT(!covers(u) && !covers(v));
    mate_[at(u)] = v;
    mate_[at(v)] = u;
}

void Cover::unmatch(int v) {
    const int other = mate(v);
    if (other == none) return;
    mate_[at(v)] = none;
    mate_[at(other)] = none;
}

bool Cover::augment(int root) {
    const int end = search(root, none, none);
    if (end == none) return false;
    flip(end);
    return true;
}

int Cover::maximise(int limit) {
    const int n = graph_.vertices();
    for (int v = 0; v < n; ++v) {
        if (covers(v)) continue;
        graph_.row(v).any_of([&](int u) {
            if (covers(u)) return false;
            match(u, v);
            return true;
        });
        if (v < limit && !covers(v)) augment(v);
    }
    int exposed = 0;
    for (int v = 0; v < n; ++v)
        if (!covers(v) && !augment(v)) ++exposed;
    return exposed;
}

const VertexSet& Cover::exposable(int root, int barred, int wanted) {
    search(root, barred, wanted);
    return outer_;
}

void Cover::expose(int v) {
    REFEREE_ASSERT(outer_.has(v));
    const int first = mate(v);
    mate_[at(v)] = none;
    if (first != none) flip(first);
}

void Cover::flip(int v) {
    while (v != none) {
        const int parent = parent_[at(v)];
        const int next = mate(parent);
        mate_[at(v)] = parent;
        mate_[at(parent)] = v;
        v = next;
    }
}

void Cover::reach_outer(int v) {
    outer_.add(v);
    inner_.remove(v);
    queue_.push_back(v);
}

int Cover::search(int root, int barred, int wanted) {
    REFEREE_ASSERT(!covers(root));
    parent_.assign(parent_.size(), none);
    std::iota(base_.begin(), base_.end(), 0);
    outer_.clear();
    inner_.clear();
    queue_.clear();
    if (barred != none) inner_.add(barred);
    reach_outer(root);
    for (std::size_t head = 0; head < queue_.size(); ++head) {
        if (wanted != none && outer_.has(wanted)) return none;
        const int u = queue_[head];
        const VertexSet& row = graph_.row(u);
        for (std::size_t i = 0; i < row.words(); ++i) {
            for (std::uint64_t rest = row.word(i) & ~inner_.word(i); rest != 0; rest &= rest - 1) {
                const int v = VertexSet::vertex_at(i, rest);
                if (outer_.has(v)) {
                    if (base_[at(u)] != base_[at(v)]) shrink(u, v);
                    continue;
                }
                if (inner_.has(v)) continue;  // reached since the word was read
                parent_[at(v)] = u;
                if (!covers(v)) return v;
                inner_.add(v);
                reach_outer(mate(v));
            }
        }
    }
    return none;
}

int Cover::common_base(int u, int v) {
    ++stamp_;
    for (int x = base_[at(u)];; x = base_[at(parent_[at(mate(x))])]) {
        trail_[at(x)] = stamp_;
        if (!covers(x)) break;
    }
    int x = base_[at(v)];
    while (trail_[at(x)] != stamp_) x = base_[at(parent_[at(mate(x))])];
    return x;
}

void Cover::mark_path(int v, int base, int child) {
    while (base_[at(v)] != base) {
        const int partner = mate(v);
        in_blossom_[at(base_[at(v)])] = 1;
        in_blossom_[at(base_[at(partner)])] = 1;
        parent_[at(v)] = child;
        child = partner;
        v = parent_[at(partner)];
    }
}

void Cover::shrink(int u, int v) {
    const int base = common_base(u, v);
    in_blossom_.assign(in_blossom_.size(), 0);
    mark_path(u, base, v);
    mark_path(v, base, u);
    for (int x = 0; x < graph_.vertices(); ++x) {
        if (!in_blossom_[at(base_[at(x)])]) continue;
        base_[at(x)] = base;
        if (!outer_.has(x)) reach_outer(x);
    }
}

}  // namespace referee::pairing
