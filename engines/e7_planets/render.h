#pragma once

#include <string>

#include "engines/e7_planets/map.h"
#include "engines/e7_planets/rules.h"

namespace engines::e7_planets {

// The position for a terminal: a line of figures, then the grid with its rows and columns
// numbered. '@' is the ship, '$5' a scrap of value 5, '#' an asteroid field, '3' a nebula, '.'
// empty space; a ghost is 'b' (back and forth) or 't' (toward the player) with its transparency.
// What doesn't fit its cell is cut and ends in '+'.
std::string render_position(const Map& map, const Position& position);

}  // namespace engines::e7_planets
