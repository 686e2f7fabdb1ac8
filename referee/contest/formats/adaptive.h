#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "referee/contest/formats/format.h"

namespace referee::formats {

// Matches of two where the answer to the format's question is unsure. Some rounds of pairs drawn by
// lot come first. Then, before each match, two fields are drawn as the results so far allow them;
// where they see an asked pair differently, the match is played that tells most of that pair. It
// ends when the question is answered with its confidence, when the matches are used up or
// its time is, or when nobody is left to tell more. places() ranks by share of points.
//
// It takes late entries. They, and bots with another program than before (AdaptiveState), come
// first, until they have had as many matches as the opening has rounds.
std::unique_ptr<Schedule> adaptive(const AdaptiveOptions& options,
                                   const std::vector<Entry>& entries, std::uint64_t seed);

// How many matches it plays at most.
std::uint64_t adaptive_matches_most(const AdaptiveOptions& options, std::size_t entrants);

}  // namespace referee::formats
