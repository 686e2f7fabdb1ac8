#pragma once

#include <cstdint>
#include <optional>

#include "engines/snake_labyrinth/board.h"
#include "protocol/json/document.h"

namespace bots::snake_labyrinth {

using engines::snake_labyrinth::Board;
using engines::snake_labyrinth::Direction;
using engines::snake_labyrinth::Square;
using engines::snake_labyrinth::Walk;

// Where a player stands: the walk so far, as far as it matters for what is to come.
struct Position {
    Walk walk;
    std::int64_t steps_max = 0;  // the game ends unfinished with so many
};

// A position from a game's params and a state of it; nothing where they are not what the rules
// say they are.
std::optional<Position> read_position(protocol::json::View params, protocol::json::View state);

}  // namespace bots::snake_labyrinth
