#pragma once

// A plan for the rest of a game. The ghosts follow rules and the turns are known, so all that is
// to come can be played out beforehand, by the engine's own rules.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
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

// What a plan leads to, by the order in which games are compared: greater is better.
struct Prospect {
    std::int64_t score = -1;
    bool win = false;
    bool not_caught = false;
    std::int64_t turns_left = 0;
    auto operator<=>(const Prospect&) const = default;
};

struct Plan {
    std::deque<engines::e7_planets::Direction> moves;
    Prospect prospect;
};

class PlanSearch {
 public:
    explicit PlanSearch(const engines::e7_planets::Map& map) : map_(map), ways_(map) {}

    // The score that the rest of the game can bring at most, and the scraps that bring it: ghosts
    // aside, by the turns that are left.
    struct Goals {
        std::vector<std::size_t> scraps;
        std::int64_t score = 0;
    };
    Goals goals(const engines::e7_planets::Position& position) const;

    // The best plan of a beam search: turn by turn it keeps the positions that are nearest to
    // having all goals, told apart by what matters, few for each cell of the ship. `steps_max`
    // bounds the work. Requires: not over.
    Plan search(const engines::e7_planets::Position& position, const Goals& goals,
                std::size_t steps_max) const;

 private:
    const engines::e7_planets::Map& map_;
    Ways ways_;
};

}  // namespace bots::e7_planets
