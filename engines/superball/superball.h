#pragma once

#include <memory>

#include "engines/game.h"
#include "engines/maps.h"

// Superball: one seat swaps coloured pieces into groups and collects those that touch a goal
// cell, while new pieces fill the board. RULES.md has the rules.
namespace engines::superball {

// The game has no maps: `resources` are ignored.
std::unique_ptr<Game> make_game(const Resources& resources);

}  // namespace engines::superball
