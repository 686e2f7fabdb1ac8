#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "referee/contest/certainty/significance.h"

namespace referee::certainty {

// The chance, over all pairs together, of telling any two apart that are alike.
inline constexpr double seeds_alpha = 0.05;

// Two who played the same games, each alone.
struct SeedComparison {
    std::size_t better = 0;  // by the mean of the differences
    std::size_t worse = 0;
    std::uint64_t seeds = 0;           // that both played
    double difference = 0;             // of the scores, seed by seed: the mean
    std::optional<Interval> interval;  // 95%; nothing where the differences didn't scatter
    double p = 1;                      // corrected for all pairs
    bool told = false;                 // apart: p is at most seeds_alpha
    // So many seeds would tell these two apart, if nobody else were compared, in four of five
    // cases; 0: not known, for there was no difference, or no scatter.
    std::uint64_t needed = 0;
};

struct SeedOrder {
    std::vector<std::size_t> order;    // by mean score, the best first; those that played
    std::vector<double> means;         // by player
    std::vector<std::size_t> places;   // by player: 1 and those that are told to be better
    std::vector<SeedComparison> next;  // each of the order and the one after it
    std::uint64_t seeds = 0;
    std::uint64_t told_pairs = 0;
    std::uint64_t pairs = 0;
};

// Compares players by their scores on common seeds. What a seed is worth to all alike cancels in
// the differences, which are tested by Student's t; but a difference is never called surer than it
// would be by its signs alone, so that few seeds tell nothing. Corrected by Holm's way over all
// pairs. By seed, and in it by player; nothing where the player has no score.
SeedOrder order_on_seeds(std::size_t players,
                         std::span<const std::vector<std::optional<double>>> scores);

}  // namespace referee::certainty
