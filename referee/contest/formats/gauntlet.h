#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "referee/contest/formats/round_table.h"
#include "referee/contest/rating/sprt.h"
#include "referee/contest/standings/match_result.h"

// One entrant against all others, until a sequential test has decided where there is one.

namespace referee::formats {

// The entrant that is tested.
inline constexpr Entrant gauntlet_candidate = 0;

// After so many matches in a row without anything new, more are taken to bring nothing new either.
inline constexpr std::size_t repeats_most = 100;

struct GauntletState {
    rating::SprtState test;   // its matches are those that were new
    std::size_t matches = 0;  // looked at, repeats and matches to which somebody didn't come too
    std::size_t repeats = 0;  // the last so many of them brought nothing new

    bool gave_up() const {
        return test.verdict == rating::SprtVerdict::undecided && repeats >= repeats_most;
    }
    bool over() const { return test.verdict != rating::SprtVerdict::undecided || gave_up(); }
};

// Decides a gauntlet by its sequential test, which looks at the matches in order, up to the first
// that is missing.
class GauntletDecision {
 public:
    explicit GauntletDecision(const SprtBounds& bounds);
    // The results may come in any order. Requires: each match once, unless it was forgotten.
    void record(const MatchResult& match);
    // The match has no result any more.
    void forget(std::uint64_t match);
    const GauntletState& state() const { return state_; }

 private:
    void look_on();

    SprtBounds bounds_;
    std::map<std::uint64_t, MatchResult> matches_;
    rating::SequentialTest test_;
    standings::NewGames new_games_;
    GauntletState state_;
};

// The candidate's share of the points of these matches, on average; 0 where there are none.
double share_of_candidate(std::span<const MatchResult> results);

// Where such a decision stands: `results` in any order.
GauntletState gauntlet_state(const SprtBounds& bounds, std::span<const MatchResult> results);

// The first entrant against each of the others in turn, `cycles` times, with seats moved on by one
// place each time. In matches of more seats than two it meets as many of the others at once as
// there are seats beside its own; there are enough of them to fill each match.
RoundTable gauntlet_table(const GauntletOptions& options, std::size_t entrants);

}  // namespace referee::formats
