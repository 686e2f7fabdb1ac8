#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "engines/e7_planets/e7_planets.h"
#include "engines/e7_planets/map.h"
#include "sample_bots/cpp/e7_planets/ways.h"

// A plan for the rest of a game. The ghosts follow rules and the turns are known, so all that is
// to come can be played out beforehand, by the engine's own rules.

namespace bots::e7_planets {

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
