#include "engines/e7_planets/rules.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "protocol/base/assertion.h"

namespace engines::e7_planets {
namespace {

// Ghosts take the edges of the grid for walls.
bool ghost_can_enter(const Map& map, const GhostStart& ghost, Cell cell) {
    return map.contains(cell) && (ghost.transparency == neither || map.at(cell) != asteroid_field);
}

// After the drop at the start of a turn: a wait of w lasts the next w turns.
bool held_after_drop(std::int64_t wait) {
    return wait >= 0;
}

Direction choice_back_and_forth(const Map& map, const GhostStart& ghost, const Mover& mover) {
    if (ghost_can_enter(map, ghost, Map::beside(mover.cell, mover.heading))) return mover.heading;
    const auto back = opposite(mover.heading);
    return ghost_can_enter(map, ghost, Map::beside(mover.cell, back)) ? back : Direction::stay;
}

Direction choice_toward_player(const Map& map, const GhostStart& ghost, const Mover& mover,
                               Cell ship) {
    const auto down = ship.row - mover.cell.row;
    const auto right = ship.column - mover.cell.column;
    const auto vertical = down < 0 ? Direction::up : Direction::down;
    const auto horizontal = right < 0 ? Direction::left : Direction::right;
    const bool vertical_open = ghost_can_enter(map, ghost, Map::beside(mover.cell, vertical));
    const bool horizontal_open = ghost_can_enter(map, ghost, Map::beside(mover.cell, horizontal));
    bool takes_vertical = map.rows > map.columns;
    if (down == 0 || right == 0) {
        takes_vertical = right == 0;
    } else if (vertical_open != horizontal_open) {
        takes_vertical = vertical_open;
    } else if (std::abs(down) != std::abs(right)) {
        takes_vertical = std::abs(down) > std::abs(right);
    }
    if (takes_vertical) return vertical_open ? vertical : Direction::stay;
    return horizontal_open ? horizontal : Direction::stay;
}

void enter(const Map& map, Mover& mover, Cell cell) {
    if (cell == mover.cell) return;
    mover.cell = cell;
    mover.wait = map.at(cell);
}

void move_ghost(const Map& map, const GhostStart& ghost, Mover& mover, Cell old_ship) {
    const auto choice = ghost_choice(map, ghost, mover, old_ship);
    --mover.wait;
    const bool slowed = ghost.transparency == slowed_and_blocked;
    if (choice == Direction::stay || (slowed && held_after_drop(mover.wait))) return;
    if (ghost.type == GhostType::back_and_forth) mover.heading = choice;
    enter(map, mover, Map::beside(mover.cell, choice));
}

}  // namespace

Position initial_position(const Map& map) {
    Position position;
    position.ship = {map.ship, map.at(map.ship), Direction::stay};
    for (const auto& ghost : map.ghosts) {
        Mover mover{ghost.cell, map.at(ghost.cell), Direction::stay};
        for (const auto direction : four_directions) {
            if (ghost.type == GhostType::back_and_forth &&
                Map::beside(ghost.before, direction) == ghost.cell) {
                mover.heading = direction;
            }
        }
        position.ghosts.push_back(mover);
    }
    position.scraps_left.resize(map.scraps.size());
    std::iota(position.scraps_left.begin(), position.scraps_left.end(), std::size_t{0});
    position.turns_left = map.turns;
    return position;
}

Verdict judge(const Map& map, const Position& position, Direction move) {
    if (move == Direction::stay) return Verdict::carried_out;
    if (held_after_drop(position.ship.wait - 1)) return Verdict::waiting;
    return map.at(map.wrapped(position.ship.cell, move)) == asteroid_field ? Verdict::bumped
                                                                           : Verdict::carried_out;
}

Direction ghost_choice(const Map& map, const GhostStart& ghost, const Mover& mover, Cell ship) {
    return ghost.type == GhostType::back_and_forth ? choice_back_and_forth(map, ghost, mover)
                                                   : choice_toward_player(map, ghost, mover, ship);
}

void play_turn(const Map& map, Position& position, Direction move, TurnEvents& events) {
    REFEREE_ASSERT(!over(position));
    events.picked_up.reset();
    events.same_spot.clear();
    events.switched.clear();

    const auto old_ship = position.ship.cell;
    const bool moves = judge(map, position, move) == Verdict::carried_out;
    --position.ship.wait;
    if (moves) enter(map, position.ship, map.wrapped(old_ship, move));
    const auto new_ship = position.ship.cell;

    for (std::size_t i = 0; i < position.ghosts.size(); ++i) {
        auto& ghost = position.ghosts[i];
        const auto before = ghost;
        move_ghost(map, map.ghosts[i], ghost, old_ship);
        if (ghost.cell == new_ship) {
            events.same_spot.push_back(i);
        } else if (ghost.cell == old_ship && before.cell == new_ship) {
            events.switched.push_back(i);
            ghost.cell = before.cell;
        }
    }

    auto& left = position.scraps_left;
    const auto scrap = std::find_if(left.begin(), left.end(),
                                    [&](std::size_t i) { return map.scraps[i].cell == new_ship; });
    if (scrap != left.end()) {
        events.picked_up = *scrap;
        position.score += map.scraps[*scrap].value;
        left.erase(scrap);
    }
    --position.turns_left;
    position.caught = !events.same_spot.empty() || !events.switched.empty();
}

bool won(const Position& position) {
    return position.scraps_left.empty() && !position.caught;
}

bool over(const Position& position) {
    return position.caught || position.scraps_left.empty() || position.turns_left == 0;
}

}  // namespace engines::e7_planets
