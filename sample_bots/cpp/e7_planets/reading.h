#pragma once

#include <optional>

#include "engines/e7_planets/e7_planets.h"
#include "engines/e7_planets/map.h"
#include "protocol/json/document.h"

// What a state of E7 Planets shows, at any turn, in the engine's own terms. States come from a
// referee: they are taken to be right.

namespace bots::e7_planets {

// The grid, the ghosts, and the scraps that are still there. Nothing where it is no such state.
std::optional<engines::e7_planets::Map> read_map(protocol::json::View state);

// Where everybody is, how long they still wait and where ghosts are heading, worked out of the
// histories. `map` is of this state or an earlier one of the same game.
std::optional<engines::e7_planets::Position> read_position(const engines::e7_planets::Map& map,
                                                           protocol::json::View state);

}  // namespace bots::e7_planets
