#pragma once

#include "engines/snake_labyrinth/snake_labyrinth.h"

namespace tests {

// The game without mazes of anybody's own.
inline const auto snake_game = engines::snake_labyrinth::make_game({});

}  // namespace tests
