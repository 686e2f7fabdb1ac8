#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "referee/game/result/game_result.h"

namespace referee::contests {

// What a tournament that has ended can still play, once bots that were withdrawn are let in again.
struct Reopening {
    std::vector<std::string> back;    // the bots
    std::uint32_t round = 1;          // from which they play
    std::vector<std::string> missed;  // others, never withdrawn, that play again what they missed
    std::vector<GameKey> games;       // they never sat down at them: played again
    std::uint64_t matches = 0;        // of these games
    // They missed these matches too, and that stands all the same.
    struct Kept {
        std::uint64_t match = 0;
        std::string why;
    };
    std::vector<Kept> kept;
    bool draws_on = false;  // it draws rounds that it had not drawn
    bool aborted = false;   // what it was about to play is played as well
};

// What of a rerun is taken back: plays that were annulled by order and count again.
struct Restoration {
    std::vector<GameKey> games;
    std::uint64_t matches = 0;  // of these games
    // Matches in which a game that was annulled by order was begun once more.
    std::vector<std::uint64_t> begun;
};

}  // namespace referee::contests
