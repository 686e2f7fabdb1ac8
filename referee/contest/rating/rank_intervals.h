#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace referee::rating {

// How sure a ranking by strength is.
struct RankInterval {
    std::size_t best = 1;
    std::size_t worst = 1;
};

// What a match gave to those in it.
struct RatedMatchPoints {
    std::vector<std::size_t> players;
    std::vector<double> points;
};

struct RankIntervals {
    std::vector<RankInterval> intervals;  // by player, holding the ranks of 95% of the draws
    // By player: in how many of the draws it was the strongest, as a share.
    std::vector<double> first_share;
};

// Draws, `draws` times, what the strengths may be after these matches, and ranks players by them.
//
// The model: in a match a player gets the match's level, its own strength and luck. Luck is spread
// alike for all. Strengths are spread like a bell curve over the field; how widely is learnt from
// the results. So a player with few matches is thought to be near the others until more is known,
// and a player who met strong opponents is thought to be stronger for it. Players without a match
// come last.
// Requires: draws > 0; nobody twice in a match.
RankIntervals rank_intervals(std::size_t players, std::span<const RatedMatchPoints> matches,
                             std::uint64_t seed, std::size_t draws);

}  // namespace referee::rating
