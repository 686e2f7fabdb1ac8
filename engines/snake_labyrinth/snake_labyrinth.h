#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engines/engine_text.h"
#include "engines/game.h"
#include "engines/maps.h"
#include "engines/snake_labyrinth/board.h"
#include "engines/snake_labyrinth/maze.h"
#include "protocol/base/result.h"

namespace engines::snake_labyrinth {

// What becomes of a letter that can't be carried out.
enum class OnIllegal : std::uint8_t {
    stay,       // the snake stays, a step is charged, the plan goes on
    void_game,  // the game ends unfinished
};

inline constexpr std::int64_t default_max_steps = 1000;

// The params of a game with everything filled in.
struct Setup {
    Board board;
    Level level = Level::final;
    std::int64_t max_steps = default_max_steps;
    OnIllegal on_illegal = OnIllegal::stay;
};

// `mazes` is where a named maze is looked up. What a maze's file says of its level counts for
// nothing here: the level is the params' own.
base::Result<Setup, SetupError> read_setup(json::View params, const MapCollection& mazes);

// As params, with the board itself where a maze was named: a replay needs no collection of mazes.
std::string write_setup(const Setup& setup);

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

// Snake Labyrinth: one seat, a labyrinth of which everything is known, and the best way out of it.
// RULES.md says how it is played. Mazes that `resources` brings can be named in a setup.
std::unique_ptr<Game> make_game(const Resources& resources);

}  // namespace engines::snake_labyrinth
