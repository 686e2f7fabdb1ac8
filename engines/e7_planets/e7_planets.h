#pragma once

// The rules as a function from one position to the next, without texts and histories. The engine
// plays by it; bots that plan ahead may too.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engines/e7_planets/map.h"
#include "engines/game.h"
#include "engines/maps.h"

namespace engines::e7_planets {

// Somebody who moves: the ship or a ghost.
struct Mover {
    Cell cell;
    // Drops by one at the start of each turn; holds a slowed mover while it is >= 0 after that.
    std::int64_t wait = 0;
    // From the last different cell that it was on to this one; only of ghosts back and forth.
    Direction heading = Direction::stay;
    bool operator==(const Mover&) const = default;
};

// Everything that changes, but the histories.
struct Position {
    Mover ship;
    std::vector<Mover> ghosts;
    std::vector<std::size_t> scraps_left;  // indices into Map::scraps, in order
    std::int64_t score = 0;
    std::int64_t turns_left = 0;
    bool caught = false;
    bool operator==(const Position&) const = default;
};

// What a turn brought.
struct TurnEvents {
    std::optional<std::size_t> picked_up;  // index into Map::scraps
    std::vector<std::size_t> same_spot;    // ghosts, from 0
    std::vector<std::size_t> switched;
};

// Whether the ship carries a move out, and if not, why.
enum class Verdict : std::uint8_t { carried_out, waiting, bumped };

Position initial_position(const Map& map);

// What would become of the ship's move. Staying is always carried out.
Verdict judge(const Map& map, const Position& position, Direction move);

// Where a ghost wants to go: `stay` where it is blocked. Whether it is slowed is not looked at.
Direction ghost_choice(const Map& map, const GhostStart& ghost, const Mover& mover, Cell ship);

// Plays one turn; `events` is cleared first. Requires: not over.
void play_turn(const Map& map, Position& position, Direction move, TurnEvents& events);

// All scraps have been picked up and no ghost has caught the ship.
bool won(const Position& position);
bool over(const Position& position);

// E7 Planets: a ship collects scraps on a grid and stays clear of ghosts. RULES.md has the rules;
// `resources` may bring maps of an instructor's own.
std::unique_ptr<Game> make_game(const Resources& resources);

}  // namespace engines::e7_planets
