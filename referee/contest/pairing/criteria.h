#pragma once

#include <vector>

#include "referee/contest/pairing/scope.h"
#include "referee/contest/pairing/weight.h"

// The criteria C6 to C21 of C.04.3 as the worth of edges: the more significant the criterion, the
// higher its bits, so that a matching of the greatest worth fulfils them best.

namespace referee::pairing {

class Criteria final : public Valuation {
 public:
    // Both must outlive the object.
    Criteria(const Lineup& lineup, const Scope& scope);

    std::size_t bits() const override { return layout_.bits(); }
    void terms(int u, int v, std::vector<Term>& terms) const override;

 private:
    using Place = BitLayout::Place;
    // One round that is looked back at: the previous one, or the one before.
    struct LookBack {
        Place floaters;                      // C14, C16
        Place opponents;                     // C15, C17
        std::vector<Place> floater_scores;   // C18, C20; by score group of the moved-down
        std::vector<Place> opponent_scores;  // C19, C21
    };

    void lay_out_scores();
    void lay_out_colours();
    void lay_out_bye();
    void lay_out_next();
    void lay_out_pairs();
    void lay_out_look_back(LookBack& back, Float Profile::*floated);
    void lay_out_look_back_scores(LookBack& back, Float Profile::*floated);

    const Profile& profile(int v) const { return lineup_.player(scope_.member(v).player); }
    std::vector<int> group_sizes(int groups) const;
    void bracket_terms(int u, int v, std::vector<Term>& terms) const;
    void colour_terms(const Profile& a, const Profile& b, std::vector<Term>& terms) const;
    void look_back_terms(int u, int v, const LookBack& back, Float Profile::*floated,
                         std::vector<Term>& terms) const;

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

}  // namespace referee::pairing
