#pragma once

#include <cstdint>
#include <vector>

#include "sample_bots/cpp/snake_labyrinth/beam.h"

namespace bots::snake_labyrinth {

// A good order in which to collect coins and leave, as if there were no body, no drills, and
// mishaps were walls: annealing on a table of distances, which is far quicker than walking. Empty
// where there are too many coins for a table, or no exit can be reached that way.
// Tries `rounds` changes at the most. Deterministic for a seed.
std::vector<Stop> coin_tour(const Walk& walk, const Grid& grid, std::uint64_t seed,
                            std::int64_t rounds);

}  // namespace bots::snake_labyrinth
