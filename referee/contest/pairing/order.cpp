#include "referee/contest/pairing/order.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "protocol/base/assertion.h"
#include "referee/contest/pairing/index.h"

namespace referee::pairing {

namespace {

// What is left of a bracket once those who moved down have opponents, or of a bracket without
// such: its vertices in ranking order, split into the original S1 and S2.
struct Remainder {
    std::vector<int> vertices;
    std::vector<int> sequence_number;  // by vertex of the scope, from 1; 0: not of the remainder
    int pairs = 0;

    bool holds(int v) const { return sequence_number[at(v)] != 0; }
    bool in_first_half(int v) const { return holds(v) && sequence_number[at(v)] <= pairs; }
};

Remainder remainder_of(const Scope& scope, const Optima& optima) {
    Remainder remainder;
    remainder.sequence_number.assign(at(scope.size()), 0);
    int paired = 0;
    for (int v = scope.moved_down; v < scope.bracket; ++v) {
        const int mate = optima.mate(v);
        const bool within = mate != Optima::alone && scope.in_bracket(mate);
        if (within && mate < scope.moved_down) continue;
        remainder.vertices.push_back(v);
        remainder.sequence_number[at(v)] = static_cast<int>(remainder.vertices.size());
        if (within) ++paired;
    }
    remainder.pairs = paired / 2;
    return remainder;
}

// The order of exchanges (4.3.2) as far as it can be summed up: how many players change sides,
// then how far. Below the criteria, if those are still needed.
class ExchangeOrder final : public Valuation {
 public:
    ExchangeOrder(const Remainder& remainder, const Criteria* criteria)
        : remainder_(remainder), criteria_(criteria) {
        const auto size = static_cast<std::uint64_t>(remainder.vertices.size());
        const auto pairs = static_cast<std::uint64_t>(remainder.pairs);
        distance_ = layout_.place(size * pairs);
        kept_ = layout_.place(pairs);
    }

    std::size_t bits() const override {
        return layout_.bits() + (criteria_ ? criteria_->bits() : 0);
    }

    void terms(int u, int v, std::vector<Term>& terms) const override {
        if (criteria_) {
            criteria_->terms(u, v, terms);
            for (Term& term : terms) term.shift += layout_.bits();
        }
        if (!remainder_.holds(u) || !remainder_.holds(v)) return;
        const auto size = static_cast<int>(remainder_.vertices.size());
        const int number = remainder_.sequence_number[at(u)];
        if (number <= remainder_.pairs) terms.push_back({1, kept_.shift});
        terms.push_back({static_cast<std::uint64_t>(size - number), distance_.shift});
    }

 private:
    const Remainder& remainder_;
    const Criteria* criteria_;
    BitLayout layout_;
    BitLayout::Place distance_;
    BitLayout::Place kept_;
};

// The moved-down players: first which of them are paired (4.4), then with whom (4.2).
void settle_moved_down(const Scope& scope, Optima& optima) {
    std::vector<int> outside(at(scope.size()), 0);
    for (int v = scope.bracket; v < scope.size(); ++v) outside[at(v)] = 1;
    for (int v = 0; v < scope.moved_down; ++v) optima.prefer(v, outside);

    std::vector<int> ranking(at(scope.size()));
    std::iota(ranking.begin(), ranking.end(), 0);
    for (int v = 0; v < scope.moved_down; ++v) {
        const int mate = optima.mate(v);
        if (mate != Optima::alone && scope.in_bracket(mate)) optima.prefer(v, ranking);
    }
}

// Only matchings in which each of the first half has an opponent from the second half.
Graph without_exchange(const Scope& scope, const Remainder& remainder) {
    Graph mask(scope.size());
    for (int v = 0; v < scope.size(); ++v)
        for (int u = 0; u < v; ++u) {
            const bool first = remainder.in_first_half(u);
            const bool second_first = remainder.in_first_half(v);
            if (second_first) continue;
            if (first ? remainder.holds(v) : !(remainder.holds(u) && remainder.holds(v)))
                mask.add(u, v);
        }
    return mask;
}

// The edges left, with all that is settled about those who moved down.
Graph edges_left(const Scope& scope, const Optima& optima) {
    Graph edges(scope.size());
    for (int v = 0; v < scope.size(); ++v) {
        for (int u = 0; u < v; ++u) {
            if (!optima.has_edge(u, v)) continue;
            const bool settled = u < scope.moved_down && optima.mate(u) != Optima::alone &&
                                 scope.in_bracket(optima.mate(u));
            if (!settled || optima.mate(u) == v) edges.add(u, v);
        }
    }
    return edges;
}

bool is_top(const Remainder& remainder, const Optima& optima, int v) {
    const int mate = optima.mate(v);
    return mate != Optima::alone && remainder.holds(mate) && mate > v;
}

// The rest of the order of exchanges: who leaves the first half, from its end, then who leaves
// the second half, from its start.
void settle_exchange(const Scope& scope, const Remainder& remainder, Optima& optima) {
    int exchanged = 0;
    for (const int v : remainder.vertices)
        if (remainder.in_first_half(v) && !is_top(remainder, optima, v)) ++exchanged;

    const auto prefer_top = [&](int v, bool top) {
        std::vector<int> rank(at(scope.size()), top ? 1 : 0);
        for (const int u : remainder.vertices)
            if (u > v) rank[at(u)] = top ? 0 : 1;
        optima.prefer(v, rank);
        return is_top(remainder, optima, v) == top;
    };
    int leaving = exchanged;
    for (int i = remainder.pairs; i-- > 0 && leaving > 0;)
        if (prefer_top(remainder.vertices[at(i)], false)) --leaving;
    int entering = exchanged;
    const int size = static_cast<int>(remainder.vertices.size());
    for (int i = remainder.pairs; i < size && entering > 0; ++i)
        if (prefer_top(remainder.vertices[at(i)], true)) --entering;
}

// The order of transpositions (4.2).
void settle_transposition(const Scope& scope, const Remainder& remainder, Optima& optima) {
    std::vector<int> ranking(at(scope.size()));
    std::iota(ranking.begin(), ranking.end(), 0);
    for (const int v : remainder.vertices)
        if (is_top(remainder, optima, v)) optima.prefer(v, ranking);
}

}  // namespace

std::unique_ptr<Optima> first_candidate(const Scope& scope, const Criteria& criteria,
                                        std::unique_ptr<Optima> optima) {
    settle_moved_down(scope, *optima);
    const Remainder remainder = remainder_of(scope, *optima);
    if (remainder.pairs == 0) return optima;
    if (auto plain = optima->within(without_exchange(scope, remainder))) {
        settle_transposition(scope, remainder, *plain);
        return plain;
    }
    const ExchangeOrder order(remainder, optima->edges_tell_all() ? nullptr : &criteria);
    const bool perfect = scope.reach != Reach::next;
    auto ordered = optima_of(edges_left(scope, *optima), order,
                             perfect ? Coverage::perfect : Coverage::partial);
    REFEREE_ASSERT(ordered != nullptr);
    settle_exchange(scope, remainder, *ordered);
    settle_transposition(scope, remainder, *ordered);
    return ordered;
}

}  // namespace referee::pairing
