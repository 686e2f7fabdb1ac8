#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/game.h"
#include "sample_bots/cpp/kit/bot.h"

// Whole games of Light Cycles between bots, in this process.

namespace tests {

using MakePlayer = std::unique_ptr<kit::Player> (*)(const kit::GameStart&);

struct CyclesGame {
    engines::Outcome outcome;
    std::int64_t turns = 0;
    std::size_t faults = 0;       // of the team that was watched
    std::int64_t longest_us = 0;  // its longest turn, in processor time
    std::int64_t mean_us = 0;     // a turn, over the turns in which it was in
};

// Params of four teams of three on a square grid, with the usual starts brought to its scale.
std::string square_params(int side);

// A game with this `setup` as params; `players` by seat. `game_id` seeds those that draw numbers.
// Nobody is charged any time, so that the game is the same again; what `watched` really used is
// told.
CyclesGame play_cycles(const std::string& setup, const std::vector<MakePlayer>& players,
                       const std::string& game_id, engines::Seat watched);

}  // namespace tests
