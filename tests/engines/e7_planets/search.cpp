#include "tests/engines/e7_planets/search.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "engines/e7_planets/e7_planets.h"

namespace tests {

namespace e7 = engines::e7_planets;

Found search_all_plays(e7::Map map, bool scores) {
    map.ghosts.clear();
    Found found;
    found.earliest_turn.resize(map.scraps.size());
    // Positions of the same key have the same future, so the later one of two is left out. Without
    // scores a scrap is put back at once: then only the ways are searched.
    using Key = std::tuple<std::size_t, std::int64_t, std::vector<std::size_t>>;
    std::set<Key> seen;
    std::vector<e7::Position> now = {e7::initial_position(map)};
    for (std::int64_t turn = 1; turn <= map.turns && !now.empty(); ++turn) {
        std::vector<e7::Position> next;
        for (const auto& position : now) {
            for (const auto move : {e7::Direction::up, e7::Direction::down, e7::Direction::left,
                                    e7::Direction::right, e7::Direction::stay}) {
                auto after = position;
                e7::TurnEvents events;
                e7::play_turn(map, after, move, events);
                found.best_score = std::max(found.best_score, after.score);
                if (events.picked_up) {
                    auto& earliest = found.earliest_turn[*events.picked_up];
                    if (!earliest) earliest = turn;
                    if (!scores) after.scraps_left = e7::initial_position(map).scraps_left;
                }
                const auto wait = std::max<std::int64_t>(after.ship.wait, 0);
                const Key key{map.index(after.ship.cell), wait, after.scraps_left};
                if (!e7::over(after) && seen.insert(key).second) next.push_back(after);
            }
        }
        now = std::move(next);
    }
    return found;
}

}  // namespace tests
