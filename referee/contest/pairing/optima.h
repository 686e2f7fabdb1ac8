#pragma once

// All matchings of the greatest worth at once: one of them is at hand, and further wishes narrow
// them down, one by one, each granted as far as the earlier ones allow.

#include <memory>
#include <vector>

#include "referee/contest/pairing/graph.h"
#include "referee/contest/pairing/matching.h"
#include "referee/contest/pairing/scope.h"

namespace referee::pairing {

// The criteria C6 to C21 of C.04.3 as the worth of edges: the more significant the criterion, the
// higher its bits, so that a matching of the greatest worth fulfils them best. Both must outlive
// it.
std::unique_ptr<Valuation> criteria_of(const Lineup& lineup, const Scope& scope);

class Optima {
 public:
    static constexpr int alone = -1;

    virtual ~Optima() = default;

    // Of the matching at hand.
    virtual int mate(int v) const = 0;

    // Whether v may still be matched over this edge, as far as is known.
    virtual bool has_edge(int u, int v) const = 0;

    // Keeps those in which v's mate u has the least possible rank[u]; being alone is worst.
    virtual void prefer(int v, const std::vector<int>& rank) = 0;

    // Among those left, only with the edges of `mask`: a copy, or null when there are none or the
    // question is too hard for a quick answer.
    virtual std::unique_ptr<Optima> within(const Graph& mask) const = 0;

    // True: every perfect matching over the edges left is an optimum, so worth needs no more care.
    virtual bool edges_tell_all() const = 0;
};

// Null when perfect coverage is impossible.
std::unique_ptr<Optima> optima_of(const Graph& edges, const Valuation& valuation,
                                  Coverage coverage);

}  // namespace referee::pairing
