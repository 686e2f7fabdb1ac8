#pragma once

#include <cstdint>
#include <vector>

#include "sample_bots/cpp/snake_labyrinth/beam.h"

namespace bots::snake_labyrinth {

// Improves an order of stops by annealing: stops are moved, swapped, left out, put in and turned
// around, and each order is walked by the rules. Never worse than what it begins with.
// Deterministic for a seed; stops where `work_max` nodes are looked at in all.
BeamResult polish(const Position& from, LegFinder& legs, const BeamResult& begin,
                  std::uint64_t seed, std::int64_t work_max);

// The route that goes for these stops, one after the other, and then to the nearest exit.
BeamResult follow_stops(const Position& from, LegFinder& legs, const std::vector<Stop>& stops);

}  // namespace bots::snake_labyrinth
