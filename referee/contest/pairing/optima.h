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
// higher its bits, so that a matching of the greatest worth fulfils them best.
class Criteria final : public Valuation {
 public:
    // Both must outlive the object.
    Criteria(const Lineup& lineup, const Scope& scope);

    std::size_t bits() const override { return layout_.bits(); }
    void terms(int u, int v, Terms& terms) const override;

 private:
    using Place = BitLayout::Place;
    // One round that is looked back at: the previous one, or the one before.
    struct LookBack {
        Place floaters;                      // C14, C16
        Place opponents;                     // C15, C17
        std::vector<Place> floater_scores;   // C18, C20; by score group of the moved-down
        std::vector<Place> opponent_scores;  // C19, C21
    };

    void lay_out_colours();
    void lay_out_bye();
    void lay_out_next();
    void lay_out_pairs();
    void lay_out_look_back(LookBack& back, Float Profile::*floated);
    void lay_out_look_back_scores(LookBack& back, Float Profile::*floated);

    const Profile& profile(int v) const { return lineup_.player(scope_.member(v).player); }
    std::vector<int> group_sizes(int groups) const;
    void bracket_terms(int u, int v, Terms& terms) const;
    void colour_terms(const Profile& a, const Profile& b, Terms& terms) const;
    void look_back_terms(int u, int v, const LookBack& back, Float Profile::*floated,
                         Terms& terms) const;

    const Lineup& lineup_;
    const Scope& scope_;
    BitLayout layout_;
    Place bye_covered_;
    Place pairs_;                       // C6
    std::vector<Place> paired_scores_;  // C7
    Place next_pairs_;                  // C8, as C6 of the next bracket
    std::vector<Place> next_scores_;    // C8, as C7 of the next bracket
    Place bye_games_;                   // C9
    Place within_difference_;           // C10
    Place within_repetition_;           // C11
    Place preferences_;                 // C12
    Place strong_preferences_;          // C13
    LookBack last_;
    LookBack before_;
    int most_unplayed_ = 0;
};

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
