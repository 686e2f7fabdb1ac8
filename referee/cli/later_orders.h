#pragma once

#include <string>
#include <vector>

#include "referee/game/result/result.h"

namespace referee::cli {

// What was ordered of a game after it was played, a sentence each: that it doesn't count, and which
// play counts instead; that an arbiter set its match's result. Its replay can't tell that. `store`:
// the file of the run; where it can't be read the standard error says so.
std::vector<std::string> later_orders(const std::string& store, const GameKey& key);

}  // namespace referee::cli
