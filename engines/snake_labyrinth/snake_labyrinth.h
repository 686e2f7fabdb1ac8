#pragma once

#include <memory>

#include "engines/game.h"
#include "engines/maps.h"

namespace engines::snake_labyrinth {

// Snake Labyrinth: one seat, a labyrinth of which everything is known, and the best way out of it.
// RULES.md says how it is played. Mazes that `resources` brings can be named in a setup.
std::unique_ptr<Game> make_game(const Resources& resources);

}  // namespace engines::snake_labyrinth
