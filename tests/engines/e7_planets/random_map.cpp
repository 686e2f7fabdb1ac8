#include "tests/engines/e7_planets/random_map.h"

#include <utility>

namespace tests {
namespace {

using engines::e7_planets::Cell;
using engines::e7_planets::GhostStart;
using engines::e7_planets::GhostType;
using engines::e7_planets::Map;

GhostStart random_ghost(Random& random, const Map& map, Cell cell) {
    GhostStart ghost;
    ghost.cell = cell;
    ghost.type = random.chance(50) ? GhostType::back_and_forth : GhostType::toward_player;
    ghost.transparency = static_cast<int>(random.below(3));
    while (ghost.type == GhostType::back_and_forth) {
        ghost.before = Map::beside(cell, engines::e7_planets::four_directions[random.below(4)]);
        if (map.contains(ghost.before)) break;
    }
    return ghost;
}

}  // namespace

Map random_map(Random& random) {
    Map map;
    map.rows = static_cast<int>(1 + random.below(7));
    map.columns = static_cast<int>((map.rows == 1 ? 6 : 2) + random.below(6));
    const auto asteroids = random.below(40);
    const auto nebulae = random.below(40);
    std::vector<Cell> free;
    for (int row = 0; row < map.rows; ++row) {
        for (int column = 0; column < map.columns; ++column) {
            const auto roll = random.below(100);
            const auto nebula = static_cast<std::int64_t>(1 + random.below(4));
            map.grid.push_back(roll < asteroids ? -1 : roll < asteroids + nebulae ? nebula : 0);
            if (map.grid.back() != -1) free.push_back({row, column});
        }
    }
    for (std::size_t i = free.size(); i > 1; --i) std::swap(free[i - 1], free[random.below(i)]);
    const auto take = [&](Cell& cell) {
        if (free.empty()) return false;
        cell = free.back();
        free.pop_back();
        return true;
    };
    Cell cell;
    if (take(cell)) map.ship = cell;
    for (auto n = 1 + random.below(4); n > 0 && take(cell); --n) {
        map.scraps.push_back({cell, static_cast<std::int64_t>(1 + random.below(20))});
    }
    for (auto n = random.below(5); n > 0 && take(cell); --n) {
        map.ghosts.push_back(random_ghost(random, map, cell));
    }
    map.turns = static_cast<std::int64_t>(1 + random.below(40));
    return map;
}

}  // namespace tests
