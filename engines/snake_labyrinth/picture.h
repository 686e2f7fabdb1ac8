#pragma once

#include <string>

#include "engines/snake_labyrinth/board.h"
#include "engines/snake_labyrinth/walk.h"

namespace engines::snake_labyrinth {

// Pictures for a terminal; each ends with a line feed.

// A labyrinth before anyone walked in it.
std::string draw_board(const Board& board);

// Where the snake is and what it has: the head as 'o', segments of the body as a small ring.
std::string draw_position(const Walk& walk);

// The way that was walked, as points on the labyrinth as it was at first, with the start 'o' and,
// where the snake is still inside, 'x' where it ended; then the figures and all moves as one word.
std::string draw_path(const Walk& walk);

}  // namespace engines::snake_labyrinth
