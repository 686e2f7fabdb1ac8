#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engines/e7_planets/map.h"

// How many turns the ship needs from cell to cell where no ghost is in the way.

namespace engines::e7_planets {

enum class Edges : std::uint8_t { wrap, walls };
enum class Sense : std::uint8_t { away_from, toward };

inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

// For each cell (by Map::index) the least number of turns between landing on `place` and landing
// on that cell, or the other way round with Sense::toward. Landing includes having started there.
// Nebulae on the way cost their turns, the one that is landed on last does not. `never` where
// there is no way, or none within `limit` turns.
std::vector<std::int64_t> landing_turns(const Map& map, Cell place, Sense sense, Edges edges,
                                        std::int64_t limit);

}  // namespace engines::e7_planets
