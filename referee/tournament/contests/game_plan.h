#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "referee/contest/formats/schedule.h"
#include "referee/game/result/game_result.h"

namespace referee::contests {

using formats::Entrant;

// A game that can begin as soon as its bots are free.
struct GamePlan {
    GameKey key;
    std::uint32_t round = 1;
    std::uint32_t games_max = 1;  // of its match, as it stands
    std::size_t setup = 0;        // index into the tournament's setups
    std::uint32_t seed = 1;
    std::vector<Entrant> entrants;  // by seat
    // Of a game that is set aside: which of its tries alone this will be, from 1. 0: of all others.
    unsigned try_alone = 0;
};

}  // namespace referee::contests
