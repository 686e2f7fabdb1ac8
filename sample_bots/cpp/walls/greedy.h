#pragma once

#include "engines/walls/walls.h"

namespace bots::walls {

// The first move of a shortest way to the next brick; forward rather than left rather than right
// where several are as short. Turns left where no brick can be had any more.
engines::walls::Move greedy_move(const engines::walls::Position& position);

}  // namespace bots::walls
