#include "referee/contest/pairing/optima.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "protocol/base/assertion.h"
#include "referee/contest/pairing/cover.h"
#include "referee/contest/pairing/graph.h"

namespace referee::pairing {

namespace {

// The optima as the perfect matchings of the graph of tight edges. Right as long as no blossom
// has a dual of its own.
class TightOptima final : public Optima {
 public:
    explicit TightOptima(Graph tight) : tight_(std::move(tight)), cover_(tight_) {}
    TightOptima(const TightOptima& other) : tight_(other.tight_), cover_(tight_) {}
    TightOptima& operator=(const TightOptima&) = delete;

    void match(int u, int v) { cover_.match(u, v); }

    int mate(int v) const override { return cover_.mate(v); }
    bool has_edge(int u, int v) const override { return tight_.has(u, v); }
    bool edges_tell_all() const override { return true; }

    void prefer(int v, const std::vector<int>& rank) override {
        const int old = mate(v);
        const int best = best_neighbour(v, old, rank);
        if (best != old) {
            cover_.expose(best);
            cover_.match(v, best);
        } else {
            cover_.match(v, old);
        }
        const VertexSet row = tight_.row(v);
        row.any_of([&](int u) {
            if (rank[at(u)] != rank[at(best)]) tight_.remove(u, v);
            return false;
        });
    }

    std::unique_ptr<Optima> within(const Graph& mask) const override {
        auto narrowed = std::make_unique<TightOptima>(*this);
        const int n = tight_.vertices();
        for (int v = 0; v < n; ++v) {
            const VertexSet row = tight_.row(v);
            row.any_of([&](int u) {
                if (u < v && !mask.has(u, v)) narrowed->tight_.remove(u, v);
                return false;
            });
        }
        for (int v = 0; v < n; ++v)
            if (v < mate(v) && mask.has(v, mate(v))) narrowed->match(v, mate(v));
        if (narrowed->cover_.maximise() != 0) return nullptr;
        return narrowed;
    }

 private:
    // Exposes v and its old mate, and finds the neighbour of the least rank that could be exposed
    // instead of the latter.
    int best_neighbour(int v, int old, const std::vector<int>& rank) {
        const auto least = [&](const VertexSet& among) {
            int best = old;
            tight_.row(v).any_of([&](int u) {
                if (among.has(u) && rank[at(u)] < rank[at(best)]) best = u;
                return false;
            });
            return best;
        };
        const int wanted = least(tight_.row(v));
        cover_.unmatch(v);
        if (rank[at(wanted)] == rank[at(old)]) return old;
        return least(cover_.exposable(old, v, wanted));
    }

    Graph tight_;
    Cover cover_;
};

// The optima as a solved weighted matching that is solved anew for each wish.
template <typename W>
class WeightedOptima final : public Optima {
 public:
    explicit WeightedOptima(Matching<W> matching) : matching_(std::move(matching)) {}

    int mate(int v) const override { return matching_.mate(v); }
    bool has_edge(int u, int v) const override { return matching_.has_edge(u, v); }
    bool edges_tell_all() const override { return false; }
    std::unique_ptr<Optima> within(const Graph&) const override { return nullptr; }

    void prefer(int v, const std::vector<int>& rank) override {
        const int n = matching_.vertices();
        int worst = std::numeric_limits<int>::min();
        for (int u = 0; u < n; ++u)
            if (has_edge(u, v)) worst = std::max(worst, rank[at(u)]);
        std::vector<W> bonus(at(n));
        for (int u = 0; u < n; ++u)
            if (has_edge(u, v))
                bonus[at(u)].add(static_cast<std::uint64_t>(worst - rank[at(u)] + 1), 0);
        matching_.add_bonus(v, bonus);
        const int found = mate(v);
        if (found != alone) matching_.require_mate(v);
        std::vector<bool> keep(at(n), false);
        for (int u = 0; u < n; ++u) keep[at(u)] = found != alone && rank[at(u)] == rank[at(found)];
        matching_.keep_edges(v, keep);
    }

 private:
    Matching<W> matching_;
};

template <std::size_t Words>
std::unique_ptr<Optima> solved(const Graph& edges, const Valuation& valuation, Coverage coverage,
                               std::size_t wish_bits) {
    using W = Weight<Words>;
    const int n = edges.vertices();
    Matching<W> matching(n, coverage);
    std::vector<Term> terms;
    for (int v = 0; v < n; ++v) {
        edges.row(v).any_of([&](int u) {
            if (u > v) return true;
            terms.clear();
            valuation.terms(u, v, terms);
            W weight;
            for (const Term& term : terms) weight.add(term.value, term.shift + wish_bits);
            matching.set_edge(u, v, weight);
            return false;
        });
    }
    if (!matching.solve()) return nullptr;
    if (coverage == Coverage::partial || matching.has_heavy_blossom())
        return std::make_unique<WeightedOptima<W>>(std::move(matching));

    Graph tight(n);
    for (int v = 0; v < n; ++v)
        edges.row(v).any_of([&](int u) {
            if (u < v && matching.is_tight(u, v)) tight.add(u, v);
            return u > v;
        });
    auto optima = std::make_unique<TightOptima>(std::move(tight));
    for (int v = 0; v < n; ++v)
        if (v < matching.mate(v)) optima->match(v, matching.mate(v));
    return optima;
}

}  // namespace

std::unique_ptr<Optima> optima_of(const Graph& edges, const Valuation& valuation,
                                  Coverage coverage) {
    const auto n = static_cast<std::size_t>(edges.vertices());
    const std::size_t size_bits = static_cast<std::size_t>(std::bit_width(n));
    const std::size_t wish_bits = 2 * size_bits;
    // Duals can grow to the worth of a long alternating path; weights are taken four times.
    const std::size_t spare_bits = 2 * size_bits + 4;
    const std::size_t bits = wish_bits + valuation.bits() + spare_bits;
    if (bits <= Weight<1>::bits) return solved<1>(edges, valuation, coverage, wish_bits);
    if (bits <= Weight<2>::bits) return solved<2>(edges, valuation, coverage, wish_bits);
    if (bits <= Weight<4>::bits) return solved<4>(edges, valuation, coverage, wish_bits);
    if (bits <= Weight<8>::bits) return solved<8>(edges, valuation, coverage, wish_bits);
    if (bits <= Weight<16>::bits) return solved<16>(edges, valuation, coverage, wish_bits);
    REFEREE_ASSERT(bits <= Weight<64>::bits);
    return solved<64>(edges, valuation, coverage, wish_bits);
}

}  // namespace referee::pairing
