#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "referee/contest/certainty/significance.h"

namespace referee::certainty {

// The chance, over a whole tournament, of telling any cycle though there is none.
inline constexpr double cycles_alpha = 0.05;
inline constexpr std::size_t cycles_told_most = 20;

// Each beats the next one, and the last beats the first.
struct Cycle {
    std::vector<std::size_t> players;
    double p = 1;  // corrected: how likely chance alone tells any cycle so surely
};

struct CycleSearch {
    std::vector<Cycle> cycles;  // those told, the surest first, cycles_told_most at most
    std::uint64_t found = 0;    // how many there are in all
    std::uint64_t triples = 0;  // of whom all three pairs met
    std::uint64_t pairs = 0;    // that were tested
    std::uint64_t undrawn = 0;  // the most undrawn distinct matches of any pair
    std::uint64_t needed = 0;   // so many undrawn matches of a pair tell, if one wins all
    // Whether no pair could have told anything, however its matches had ended.
    bool too_few() const { return found == 0 && pairs > 0 && undrawn < needed; }
};

// Cycles beyond chance. One of two beats the other if it wins more of their matches than it loses
// in the long run. If there is an order in which nobody beats somebody above, each cycle that is
// seen has a pair that is seen the wrong way round. So a cycle is told where each of its three
// pairs is told by a test whose errors, over all pairs together, stay within cycles_alpha: the
// exact test of coins for each pair's undrawn matches, corrected by Holm's way. It assumes nothing
// of strengths. Pairs that are settled are known without a test.
//
// That holds for cycles of any length. Where everybody met everybody, whoever is in a cycle is in
// one of three; but not all pairs are met, or told. So where no three are told, the shortest cycles
// of more are, one at most for each of its lowest numbers.
// Requires: each pair once; a and b below `players`.
CycleSearch find_cycles(std::size_t players, std::span<const PairRecord> pairs);

}  // namespace referee::certainty
