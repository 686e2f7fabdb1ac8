#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

// A way that was tried by the rules of the game.
struct Route {
    std::string letters;
    bool is_out = false;
    std::int64_t score = 0;
    std::int64_t steps = 0;

    // Out before inside, then the score, then fewer steps.
    bool is_better_than(const Route& other) const {
        if (is_out != other.is_out) return is_out;
        if (score != other.score) return score > other.score;
        return steps < other.steps;
    }
};

// Walks the letters from a position, as far as they go: up to an exit, the limit of steps or a
// letter that can't be carried out.
Route walk_route(const Position& from, std::string_view letters);

}  // namespace bots::snake_labyrinth
