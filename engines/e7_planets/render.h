#pragma once

#include <string>

#include "engines/e7_planets/map.h"
#include "engines/e7_planets/rules.h"
#include "engines/window.h"

namespace engines::e7_planets {

// The position for a terminal: a line of figures, then the grid with its rows and columns
// numbered. '@' is the ship, '$5' a scrap of value 5, '#' an asteroid field, '3' a nebula, '.'
// empty space; a ghost is 'b' (back and forth) or 't' (toward the player) with its transparency.
// What doesn't fit its cell is cut and ends in '+'. Scraps and ghosts that lie outside of the
// window are listed below it, as far as a line holds them.
std::string render_position(const Map& map, const Position& position, const Window& window);

// What a screen has room for, with the ship in the middle where the grid allows it.
Window window_around_ship(const Map& map, const Position& position, const Screen& screen);

}  // namespace engines::e7_planets
