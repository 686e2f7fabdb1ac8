#pragma once

#include <cstdint>
#include <vector>

#include "engines/e7_planets/e7_planets.h"
#include "engines/e7_planets/map.h"

namespace bots::e7_planets {

// The quickest ways to each scrap of a map from everywhere, ghosts aside.
class Ways {
 public:
    explicit Ways(const engines::e7_planets::Map& map);

    // Turns until the ship, which has still so long to wait on its cell, lands on a scrap; `never`
    // where there is no way. 0 where it stands there.
    std::int64_t turns(const engines::e7_planets::Mover& ship, std::size_t scrap) const;
    // Turns between landing on one scrap and landing on another.
    std::int64_t between(std::size_t from, std::size_t to) const;
    // The first step of a quickest way; `stay` where there is none.
    engines::e7_planets::Direction first_step(engines::e7_planets::Cell from,
                                              std::size_t scrap) const;

 private:
    const engines::e7_planets::Map& map_;
    std::vector<std::vector<std::int64_t>> landing_;  // [scrap][cell]
};

}  // namespace bots::e7_planets
