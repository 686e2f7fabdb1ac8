#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engines/game.h"

namespace referee::play {

// A turn that was played before a game began; or a seat that was taken out of it.
struct PastTurn {
    std::vector<std::string> moves;     // by seat, JSON text; empty where none came in time
    std::vector<std::int64_t> used_us;  // by seat, as it was charged
    std::optional<engines::Seat> forfeit{};
};

// The first turns of another game, from which a game goes on: it is a fork of that one. Its bots
// are told with their start that it is `resumed`, and all of these turns.
struct Past {
    std::string game_id;            // of the other game
    std::string replay;             // the other game's: "sha256:" and 64 hexadecimal digits
    std::vector<std::string> bots;  // by seat, who played the other game
    std::vector<PastTurn> turns;
};

// As an object: `turn` is the first that is played anew, and `past_told_by` says by what the bots
// could know what came before. Whether they use it can't be seen from outside.
std::string forked_from(const Past& past);

}  // namespace referee::play
