#pragma once

#include <memory>

#include "engines/game.h"
#include "engines/maps.h"

// Walls: two players on a small board leave a brick on each square that they are the first to move
// off; the player that has laid more bricks in the end wins. RULES.md has the rules for students.

namespace engines::walls {

// Takes no resources.
std::unique_ptr<Game> make_game(const Resources& resources);

}  // namespace engines::walls
