#pragma once

#include <memory>

#include "engines/game.h"
#include "engines/maps.h"

namespace engines::e7_planets {

// E7 Planets: a ship collects scraps on a grid and stays clear of ghosts. RULES.md has the rules;
// `resources` may bring maps of an instructor's own.
std::unique_ptr<Game> make_game(const Resources& resources);

}  // namespace engines::e7_planets
