#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engines/snake_labyrinth/board.h"

namespace engines::snake_labyrinth {

inline constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

// For each square the fewest steps from the start without drilling, or `unreached`. A walk ends
// at an exit, so nothing is reached through one.
std::vector<std::uint32_t> distances_from_start(const Board& board);

}  // namespace engines::snake_labyrinth
