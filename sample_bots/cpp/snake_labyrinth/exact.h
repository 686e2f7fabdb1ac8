#pragma once

#include <cstddef>
#include <optional>

#include "sample_bots/cpp/snake_labyrinth/legs.h"
#include "sample_bots/cpp/snake_labyrinth/route.h"

namespace bots::snake_labyrinth {

// Looks at everything that can be better than a route that is known: a best-first search over
// whole positions (head, body, objects and walls that are gone), with a bound on what can still be
// won. Gives the best route there is (the known one where nothing beats it), or nothing where it
// would have to look at more than `positions_max` positions. A known route that isn't out stands
// for 'none is known'.
std::optional<Route> exact_search(const Position& from, const Grid& grid, const Route& known,
                                  std::size_t positions_max);

}  // namespace bots::snake_labyrinth
