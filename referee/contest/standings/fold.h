#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "referee/contest/standings/crosstable.h"
#include "referee/contest/standings/match_result.h"
#include "referee/contest/standings/tie_break.h"

// Standings as a pure fold over results: in whatever order these are told, the answer is the same.

namespace referee::standings {

struct FieldOfPlay {
    std::vector<std::int32_t> ratings;  // by entrant; 0: none
    std::vector<Entrant> unranked;      // fixed opponents
    PointSystem points;                 // what a match is worth
    // The number of rounds for tie-breaks; 0: as many as have results. While a round is being
    // played, its missing results count for nothing.
    std::size_t rounds = 0;
};

// Requires: one result for each match; entrants within the field.
Crosstable crosstable_of(const FieldOfPlay& field, std::span<const MatchResult> matches,
                         std::span<const Bye> byes);

struct Standings {
    Crosstable table;
    Ranking ranking;
};

// Ranks by the columns in their order: usually points first.
Standings standings_of(const FieldOfPlay& field, std::span<const MatchResult> matches,
                       std::span<const Bye> byes, std::span<const TieBreak> order);

}  // namespace referee::standings
