#pragma once

#include <string>

#include "engines/game.h"

namespace kit {

// The brain of a player that looks at the engine's own position in place of its text: for who plays
// thousands of games within a program. It remembers nothing of a game, so one plays them all.
class InsidePlayer {
 public:
    virtual ~InsidePlayer() = default;
    // The move as JSON text: what the Player of the same name would play there. Requires: a
    // position of a game that began as that which it was made for.
    virtual std::string move(const engines::State& state, engines::Seat seat) const = 0;
};

}  // namespace kit
