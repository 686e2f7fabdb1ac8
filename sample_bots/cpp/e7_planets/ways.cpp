#include "sample_bots/cpp/e7_planets/ways.h"

#include <algorithm>

#include "engines/e7_planets/map.h"
#include "engines/e7_planets/travel.h"

namespace bots::e7_planets {

namespace rules = engines::e7_planets;

Ways::Ways(const rules::Map& map) : map_(map) {
    for (const auto& scrap : map.scraps) {
        landing_.push_back(rules::landing_turns(map, scrap.cell, rules::Sense::toward,
                                                rules::Edges::wrap, rules::turns_max));
    }
}

std::int64_t Ways::turns(const rules::Mover& ship, std::size_t scrap) const {
    const auto turns = landing_[scrap][map_.index(ship.cell)];
    if (turns == rules::never || turns == 0) return turns;
    return turns - map_.at(ship.cell) + std::max<std::int64_t>(ship.wait, 0);
}

std::int64_t Ways::between(std::size_t from, std::size_t to) const {
    return landing_[to][map_.index(map_.scraps[from].cell)];
}

rules::Direction Ways::first_step(rules::Cell from, std::size_t scrap) const {
    auto best = rules::Direction::stay;
    auto best_turns = rules::never;
    for (const auto direction : rules::four_directions) {
        const auto turns = landing_[scrap][map_.index(map_.wrapped(from, direction))];
        if (turns >= best_turns) continue;
        best = direction;
        best_turns = turns;
    }
    return best;
}

}  // namespace bots::e7_planets
