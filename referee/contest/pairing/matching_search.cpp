#include <algorithm>

#include "referee/contest/pairing/matching_body.h"

// One alternating forest: it grows from exposed vertices over tight edges, moves the duals when
// it can grow no more, and ends with one more matched vertex.

namespace referee::pairing {

template <typename W>
void Matching<W>::begin_search(const std::vector<int>& roots) {
    dissolve_spent();
    std::fill(label_.begin(), label_.end(), Label::free);
    std::fill(nearest_.begin(), nearest_.end(), none);
    queue_.clear();
    stuck_ = false;
    for (const int root : roots) make_outer(top_[at(root)]);
}

template <typename W>
bool Matching<W>::search(const std::vector<int>& roots) {
    begin_search(roots);
    for (;;) {
        while (!queue_.empty()) {
            const int u = queue_.front();
            queue_.pop_front();
            if (scan(u)) return true;
        }
        if (adjust()) return true;
        if (stuck_) return false;
    }
}

template <typename W>
void Matching<W>::make_outer(int node) {
    label_[at(node)] = Label::outer;
    each_vertex(node, [this](int v) { queue_.push_back(v); });
}

template <typename W>
void Matching<W>::make_inner(int node, Link via) {
    label_[at(node)] = Label::inner;
    via_[at(node)] = via;
    make_outer(top_[at(mate(base_[at(node)]))]);
}

// Looks from an outer vertex at all others. True when the matching has grown.
template <typename W>
bool Matching<W>::scan(int u) {
    const std::size_t row = cell(u, 0);
    for (int v = 0; v < vertices_; ++v) {
        if (!edge_[row + at(v)] || top_[at(v)] == top_[at(u)]) continue;
        const W distance = slack(u, v);
        const int rival = nearest_[at(v)];
        if (rival == none || top_[at(rival)] == top_[at(v)] || distance < slack(rival, v))
            nearest_[at(v)] = u;
        if (distance.is_zero() && label_of(v) != Label::inner && meet(u, v)) return true;
    }
    return false;
}

// Takes in a tight edge from an outer vertex. True when the matching has grown.
template <typename W>
bool Matching<W>::meet(int u, int v) {
    const int node = top_[at(v)];
    if (label_[at(node)] == Label::free) {
        if (mate(base_[at(node)]) != none) {
            make_inner(node, {u, v});
            return false;
        }
        augment_to_root(u, v);
        rebase(node, v);
        mate_[at(v)] = u;
        return true;
    }
    const int ancestor = common_node(u, v);
    if (ancestor != none) {
        shrink(u, v, ancestor);
        return false;
    }
    augment_to_root(u, v);
    augment_to_root(v, u);
    return true;
}

// Moves the duals as far as they go. True when the matching has grown; sets stuck_ when nothing
// limits the move.
template <typename W>
bool Matching<W>::adjust() {
    W step;
    if (!find_step(step)) {
        stuck_ = true;
        return false;
    }
    if (!step.is_zero()) take_step(step);
    return after_step();
}

template <typename W>
bool Matching<W>::find_step(W& step) {
    bool any = false;
    const auto limit = [&](const W& candidate) {
        if (!any || candidate < step) step = candidate;
        any = true;
    };
    for (int v = 0; v < vertices_; ++v) {
        const Label label = label_of(v);
        if (label == Label::inner) continue;
        if (label == Label::outer) {
            if (may_be_alone_[at(v)]) limit(dual_[at(v)]);
            refresh_nearest(v);
        }
        const int u = nearest_[at(v)];
        if (u == none) continue;
        limit(label == Label::outer ? slack(u, v).halved() : slack(u, v));
    }
    for (int v = 0; v < vertices_; ++v) {
        const int node = top_[at(v)];
        if (is_blossom(node) && base_[at(node)] == v && label_[at(node)] == Label::inner)
            limit(blossom(node).dual.halved());
    }
    return any;
}

// After a blossom has closed, the nearest outer vertex may lie in the same one.
template <typename W>
void Matching<W>::refresh_nearest(int v) {
    const int current = nearest_[at(v)];
    if (current == none || top_[at(current)] != top_[at(v)]) return;
    int best = none;
    for (int u = 0; u < vertices_; ++u) {
        if (!has_edge(u, v) || label_of(u) != Label::outer || top_[at(u)] == top_[at(v)]) continue;
        if (best == none || slack(u, v) < slack(best, v)) best = u;
    }
    nearest_[at(v)] = best;
}

template <typename W>
void Matching<W>::take_step(const W& step) {
    const W twice = step.doubled();
    for (int v = 0; v < vertices_; ++v) {
        const int node = top_[at(v)];
        const Label label = label_[at(node)];
        if (label == Label::free) continue;
        const bool outer = label == Label::outer;
        if (outer)
            dual_[at(v)] -= step;
        else
            dual_[at(v)] += step;
        if (!is_blossom(node) || base_[at(node)] != v) continue;
        if (outer)
            blossom(node).dual += twice;
        else
            blossom(node).dual -= twice;
    }
}

template <typename W>
bool Matching<W>::after_step() {
    for (int v = 0; v < vertices_; ++v) {
        if (!may_be_alone_[at(v)] || label_of(v) != Label::outer || !dual_[at(v)].is_zero())
            continue;
        augment_to_root(v, none);
        return true;
    }
    expand_spent();
    for (int v = 0; v < vertices_; ++v) {
        const int u = nearest_[at(v)];
        if (u == none || label_of(v) == Label::inner || top_[at(u)] == top_[at(v)]) continue;
        if (slack(u, v).is_zero() && meet(u, v)) return true;
    }
    return false;
}

template <typename W>
void Matching<W>::expand_spent() {
    for (int v = 0; v < vertices_; ++v) {
        const int node = top_[at(v)];
        if (is_blossom(node) && label_[at(node)] == Label::inner && blossom(node).dual.is_zero())
            expand(node);
    }
}

REFEREE_INSTANTIATE_MATCHING()

}  // namespace referee::pairing
