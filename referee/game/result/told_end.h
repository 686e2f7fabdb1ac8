#pragma once

#include <string>

#include "referee/game/result/result.h"

namespace referee {

// How a game that was played to its end went for a seat, in the words of its rules; empty where
// they have none, and for all other games.
std::string told_by_rules(const engines::Game& rules, const GameResult& result, engines::Seat seat);

// How a game that counts went for a seat, in a line for whoever wants to play better. Where it was
// played to its end: the words of the rules, and the last of the seat's faults that are kept; else
// why it ended.
std::string told_end(const engines::Game& rules, const GameResult& result, engines::Seat seat);

}  // namespace referee
