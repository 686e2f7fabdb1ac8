#pragma once

// Light Cycles: teams of cycles on a grid, all moving at once and leaving trails that nobody may
// enter; the last team with a living cycle wins. RULES.md has the rules for students.

#include <memory>
#include <string>

#include "engines/game.h"
#include "engines/light_cycles/arena.h"
#include "engines/maps.h"

namespace engines::light_cycles {

// Pictures for a terminal, each ending with a line feed. Capital letters are cycles, small letters
// their trails, one letter a team.

// The whole grid; on a large one a character stands for a block of cells. No line is longer than a
// terminal of 80 columns.
std::string draw_arena(const Arena& arena);

// What a team's player needs to see. A grid that the screen has room for is drawn cell by cell.
// Of a larger one there is a part around each living cycle of the team, side by side, with the
// places that it shows; '#' is outside of the grid.
std::string draw_around_team(const Arena& arena, Seat team, const Screen& screen);

// Takes no resources.
std::unique_ptr<Game> make_game(const Resources& resources);

}  // namespace engines::light_cycles
