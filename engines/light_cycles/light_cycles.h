#pragma once

#include <memory>

#include "engines/game.h"
#include "engines/maps.h"

// Light Cycles: teams of cycles on a grid, all moving at once and leaving trails that nobody may
// enter; the last team with a living cycle wins. RULES.md has the rules for students.

namespace engines::light_cycles {

// Takes no resources.
std::unique_ptr<Game> make_game(const Resources& resources);

}  // namespace engines::light_cycles
