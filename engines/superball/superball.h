#pragma once

// Superball: one seat swaps coloured pieces into groups and collects those that touch a goal
// cell, while new pieces fill the board. RULES.md has the rules.

#include <memory>
#include <string>

#include "engines/game.h"
#include "engines/maps.h"
#include "engines/superball/position.h"
#include "protocol/base/result.h"

namespace engines::superball {

// The rules that params stand for, defaults filled in, or which member is wrong and why.
base::Result<Rules, SetupError> read_params(json::View params);

// All members, in the page's order.
std::string write_params(const Rules& rules);

// The game has no maps: `resources` are ignored.
std::unique_ptr<Game> make_game(const Resources& resources);

}  // namespace engines::superball
