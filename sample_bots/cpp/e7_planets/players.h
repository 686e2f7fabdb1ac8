#pragma once

// The reference bots for E7 Planets. Each plays one game; none remembers anything of another.

#include <memory>
#include <optional>

#include "engines/e7_planets/e7_planets.h"
#include "engines/e7_planets/map.h"
#include "protocol/json/document.h"
#include "sample_bots/cpp/bot/bot.h"

namespace bots::e7_planets {

// What a state of E7 Planets shows, at any turn, in the engine's own terms. States come from a
// referee: they are taken to be right.

// The grid, the ghosts, and the scraps that are still there. Nothing where it is no such state.
std::optional<engines::e7_planets::Map> read_map(protocol::json::View state);

// Where everybody is, how long they still wait and where ghosts are heading, worked out of the
// histories. `map` is of this state or an earlier one of the same game.
std::optional<engines::e7_planets::Position> read_position(const engines::e7_planets::Map& map,
                                                           protocol::json::View state);

// Up, down, left or right with equal probability, the same again in a game of the same id.
std::unique_ptr<Player> make_random(const GameStart& start);
// The quickest way to the scrap that is reached soonest, around the edges too; doesn't see ghosts.
std::unique_ptr<Player> make_greedy(const GameStart& start);
std::unique_ptr<InsidePlayer> make_greedy_inside(const engines::State& state);
// Plans the whole rest of the game against ghosts that it foresees exactly; see plan.h.
std::unique_ptr<Player> make_planner(const GameStart& start);

}  // namespace bots::e7_planets
