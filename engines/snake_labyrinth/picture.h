#pragma once

#include <string>

#include "engines/snake_labyrinth/board.h"
#include "engines/snake_labyrinth/walk.h"
#include "engines/window.h"

namespace engines::snake_labyrinth {

// Pictures for a terminal, of the part of the board in a window where one is given; each ends with
// a line feed.

// A labyrinth before anyone walked in it.
std::string draw_board(const Board& board);

// Where the snake is and what it has: the head as 'o', segments of the body as a small ring.
std::string draw_position(const Walk& walk, const Window& window);

// The way that was walked, as points on the labyrinth as it was at first, with the start 'o' and,
// where the snake is still inside, 'x' where it ended; then the figures and all moves as one word,
// which goes on in a new line where a line would be longer than `line_max`.
std::string draw_path(const Walk& walk, const Window& window, std::size_t line_max);

}  // namespace engines::snake_labyrinth
