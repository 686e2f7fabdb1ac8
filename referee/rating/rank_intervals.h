#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace referee::rating {

// How sure a ranking is: the ranks that most of the rankings have that other draws of matches like
// those played would have given.
struct RankInterval {
    std::size_t best = 1;
    std::size_t worst = 1;
};

// What a match gave to those in it.
struct MatchPoints {
    std::vector<std::size_t> players;
    std::vector<double> points;
};

struct RankIntervals {
    std::vector<RankInterval> intervals;  // by player, holding the ranks of 95% of the draws
    // By player: in how many of the draws it came first, alone or level, as a share.
    std::vector<double> first_share;
};

// Draws matches with replacement `draws` times (a bootstrap) and ranks players by the mean of their
// points a match; equal means share the better rank. Requires: draws > 0.
RankIntervals rank_intervals(std::size_t players, std::span<const MatchPoints> matches,
                             std::uint64_t seed, std::size_t draws);

}  // namespace referee::rating
