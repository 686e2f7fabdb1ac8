#pragma once

#include <string>

#include "referee/game/result/game_result.h"

// A result in words.

namespace referee {

// How a game that was played to its end went, as the rules tell it of the best seat, behind its
// name where there are others.
std::string told_of_best(const engines::Game& rules, const GameResult& result);

// "won 14 : 9", "drew 7 : 7", "place 3 of 4, 1 : 5 : 3 : 2", "scored 120": a game that counts, with
// the seat's own score first.
std::string told_verdict(const GameResult& result, engines::Seat seat);

}  // namespace referee
