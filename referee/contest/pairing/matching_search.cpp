#include <algorithm>

#include "protocol/base/assertion.h"
#include "referee/contest/pairing/matching.h"

// One alternating forest: it grows from exposed vertices over tight edges, moves the duals when
// it can grow no more, and ends with one more matched vertex. Then its shapes: closing odd cycles,
// opening them, turning paths over.

namespace referee::pairing {

template <typename W>
void Matching<W>::begin_search(const std::vector<int>& roots) {
    dissolve_spent();
    std::ranges::fill(label_, Label::free);
    std::ranges::fill(nearest_, none);
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

// The lowest outer node above both, or none when they hang on different roots.
template <typename W>
int Matching<W>::common_node(int u, int v) {
    ++stamp_;
    const auto next = [this](int node) {
        const int partner = mate(base_[at(node)]);
        return partner == none ? none : top_[at(via_[at(top_[at(partner)])].from)];
    };
    for (int node = top_[at(u)]; node != none; node = next(node)) trail_[at(node)] = stamp_;
    int node = top_[at(v)];
    while (node != none && trail_[at(node)] != stamp_) node = next(node);
    return node;
}

// The nodes from `from` up to `stop`, both included, and the links between them, upward.
template <typename W>
std::vector<int> Matching<W>::climb(int from, int stop, std::vector<Link>& links) const {
    std::vector<int> nodes = {from};
    while (nodes.back() != stop) {
        const int base = base_[at(nodes.back())];
        const int partner = mate(base);
        const int inner = top_[at(partner)];
        const Link via = via_[at(inner)];
        links.push_back({base, partner});
        links.push_back({via.to, via.from});
        nodes.push_back(inner);
        nodes.push_back(top_[at(via.from)]);
    }
    return nodes;
}

template <typename W>
void Matching<W>::shrink(int u, int v, int ancestor) {
    REFEREE_ASSERT(!unused_.empty());
    std::vector<Link> left_links;
    std::vector<Link> right_links;
    std::vector<int> left = climb(top_[at(u)], ancestor, left_links);
    const std::vector<int> right = climb(top_[at(v)], ancestor, right_links);

    const int node = unused_.back();
    unused_.pop_back();
    Blossom& made = blossom(node);
    made = {};
    made.children.assign(left.rbegin(), left.rend());
    made.children.insert(made.children.end(), right.begin(), right.end() - 1);
    for (auto link = left_links.rbegin(); link != left_links.rend(); ++link)
        made.links.push_back({link->to, link->from});
    made.links.push_back({u, v});
    made.links.insert(made.links.end(), right_links.begin(), right_links.end());

    parent_[at(node)] = none;
    base_[at(node)] = base_[at(ancestor)];
    label_[at(node)] = Label::outer;
    for (const int child : made.children) {
        const bool was_inner = label_[at(child)] == Label::inner;
        parent_[at(child)] = node;
        each_vertex(child, [&](int x) {
            made.vertices.push_back(x);
            if (was_inner) queue_.push_back(x);
        });
    }
    for (const int x : made.vertices) top_[at(x)] = node;
}

// Makes the children of an outermost node outermost.
template <typename W>
void Matching<W>::dissolve(int node) {
    Blossom& spent = blossom(node);
    for (const int child : spent.children) {
        parent_[at(child)] = none;
        each_vertex(child, [&](int v) { top_[at(v)] = child; });
    }
    spent = {};
    unused_.push_back(node);
}

template <typename W>
void Matching<W>::dissolve_spent() {
    for (int v = 0; v < vertices_; ++v)
        while (top_[at(v)] != v && blossom(top_[at(v)]).dual.is_zero()) dissolve(top_[at(v)]);
}

// Opens an inner blossom whose dual is spent; the part of its cycle that carries the path stays
// in the forest.
template <typename W>
void Matching<W>::expand(int node) {
    const Link via = via_[at(node)];
    const int entry = child_holding(node, via.to);
    const Blossom opened = std::move(blossom(node));
    blossom(node).children = opened.children;
    blossom(node).vertices = opened.vertices;
    dissolve(node);
    for (const int child : opened.children) label_[at(child)] = Label::free;

    const std::size_t size = opened.children.size();
    std::size_t i = static_cast<std::size_t>(std::ranges::find(opened.children, entry) -
                                             opened.children.begin());
    const bool upward = i % 2 == 1;
    label_[at(entry)] = Label::inner;
    via_[at(entry)] = via;
    while (i != 0) {
        const std::size_t outer = upward ? i + 1 : i - 1;
        const std::size_t inner = upward ? (i + 2) % size : i - 2;
        make_outer(opened.children[outer]);
        const Link link = upward ? opened.links[outer] : opened.links[inner];
        label_[at(opened.children[inner])] = Label::inner;
        via_[at(opened.children[inner])] = upward ? link : Link{link.to, link.from};
        i = inner;
    }
}

template <typename W>
int Matching<W>::child_holding(int node, int v) const {
    int child = v;
    while (parent_[at(child)] != node) child = parent_[at(child)];
    return child;
}

template <typename W>
void Matching<W>::rematch_link(int node, std::size_t index) {
    const Link link = blossom(node).links[index];
    const std::size_t next = (index + 1) % blossom(node).children.size();
    rebase(blossom(node).children[index], link.from);
    rebase(blossom(node).children[next], link.to);
    mate_[at(link.from)] = link.to;
    mate_[at(link.to)] = link.from;
}

// Turns the inside of a node so that v is the one vertex not matched within.
template <typename W>
void Matching<W>::rebase(int node, int v) {
    if (!is_blossom(node)) return;
    const int child = child_holding(node, v);
    rebase(child, v);
    Blossom& turned = blossom(node);
    const auto place = std::ranges::find(turned.children, child);
    const auto index = static_cast<std::size_t>(place - turned.children.begin());
    if (index % 2 == 0) {
        for (std::size_t i = 0; i < index; i += 2) rematch_link(node, i);
    } else {
        for (std::size_t i = index + 1; i < turned.children.size(); i += 2) rematch_link(node, i);
    }
    const auto shift = static_cast<std::ptrdiff_t>(index);
    std::rotate(turned.children.begin(), turned.children.begin() + shift, turned.children.end());
    std::rotate(turned.links.begin(), turned.links.begin() + shift, turned.links.end());
    base_[at(node)] = v;
}

// Gives v, in an outer node, a new mate (or none), and turns the path up to its root over.
template <typename W>
void Matching<W>::augment_to_root(int v, int new_mate) {
    for (;;) {
        const int node = top_[at(v)];
        const int old_mate = mate(base_[at(node)]);
        rebase(node, v);
        mate_[at(v)] = new_mate;
        if (old_mate == none) return;
        const int inner = top_[at(old_mate)];
        const Link via = via_[at(inner)];
        rebase(inner, via.to);
        mate_[at(via.to)] = via.from;
        v = via.from;
        new_mate = via.to;
    }
}

REFEREE_INSTANTIATE_MATCHING()

}  // namespace referee::pairing
