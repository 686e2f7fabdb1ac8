#include "engines/e7_planets/travel.h"

#include <functional>
#include <queue>
#include <utility>

namespace engines::e7_planets {

std::vector<std::int64_t> landing_turns(const Map& map, Cell place, Sense sense, Edges edges,
                                        std::int64_t limit) {
    using Entry = std::pair<std::int64_t, std::size_t>;
    std::vector<std::int64_t> turns(map.cells(), never);
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    turns[map.index(place)] = 0;
    open.push({0, map.index(place)});
    while (!open.empty()) {
        const auto [so_far, index] = open.top();
        open.pop();
        if (so_far > turns[index]) continue;
        const auto cell = map.cell(index);
        for (const auto direction : four_directions) {
            const auto next =
                edges == Edges::wrap ? map.wrapped(cell, direction) : Map::beside(cell, direction);
            if (!map.contains(next) || map.at(next) == asteroid_field) continue;
            // A step costs a turn and the wait on the cell that is left.
            const auto left = sense == Sense::away_from ? map.grid[index] : map.at(next);
            if (left >= limit - so_far) continue;
            const auto total = so_far + left + 1;
            auto& known = turns[map.index(next)];
            if (total >= known) continue;
            known = total;
            open.push({total, map.index(next)});
        }
    }
    return turns;
}

}  // namespace engines::e7_planets
