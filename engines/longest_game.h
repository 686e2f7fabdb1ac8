#pragma once

#include <cstdint>
#include <optional>

#include "engines/game.h"

namespace engines {

// How many turns a game with these params has at most, by its rules alone; nothing where the rules
// set no end. It may be far more than any two bots would play.
// Requires: params that the game accepts.
std::optional<std::int64_t> turns_most(const Game& game, json::View params);

}  // namespace engines
