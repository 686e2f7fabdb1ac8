#pragma once

#include <vector>

#include "referee/contest/rating/elo.h"
#include "referee/contest/rating/random.h"

// Fields whose true strengths are known, and what they play.

namespace referee::rating {

// A match's share of the points: won, drawn or lost, so that this is expected; and as the strengths
// (in Elo) have it. Requires: the draws leave room for the expected share.
double drawn_share(Random& random, double expected, double draw_share);
double played_share(Random& random, double elo, double draw_share);

// Everybody meets everybody so often.
std::vector<PairResult> round_robin(const std::vector<double>& strengths, int cycles,
                                    double draw_share, Random& random);

// How often the intervals hold the true strengths, which stand against the mean of their field.
double coverage(const std::vector<double>& strengths, int cycles, double draw_share, int runs,
                std::uint64_t seed);

}  // namespace referee::rating
