#pragma once

#include <cstdint>
#include <vector>

#include "sample_bots/cpp/snake_labyrinth/legs.h"

namespace bots::snake_labyrinth {

// About how many points it costs to get from each square to an exit: steps, and a price for each
// wall to be drilled and each mishap to be walked over. A guide, not a bound.
std::vector<std::int64_t> costs_to_exit(const Board& board, const Grid& grid);

}  // namespace bots::snake_labyrinth
