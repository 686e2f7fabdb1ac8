#pragma once

#include <string>

#include "engines/game.h"

namespace referee::trace {

// How the game of a replay went for the seat by the words of its rules, where it was played to its
// end; else, and where nobody knows the game any more, nothing.
std::string told_end(protocol::json::View setup, protocol::json::View result, engines::Seat seat);

// What a game that goes on from a turn of another one was forked from, as a line; else nothing.
std::string told_fork(protocol::json::View setup);

}  // namespace referee::trace
