#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engines/game.h"
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

}  // namespace engines::snake_labyrinth
