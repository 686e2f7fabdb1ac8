#include <algorithm>

#include "protocol/base/assertion.h"
#include "referee/contest/pairing/matching_body.h"

// The shapes of the alternating forest: closing odd cycles, opening them, turning paths over.

namespace referee::pairing {

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
    std::size_t i = static_cast<std::size_t>(
        std::find(opened.children.begin(), opened.children.end(), entry) - opened.children.begin());
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
    const auto place = std::find(turned.children.begin(), turned.children.end(), child);
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
