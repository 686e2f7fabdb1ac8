#pragma once

#include <string>

#include "engines/game.h"
#include "referee/grading/rubric/rubric.h"

namespace referee::rubric {

// Why the rule can judge no game of this kind: it names a member that no outcome's detail has, or
// asks for wins where nothing says who has won. Empty where it can.
std::string why_not_in(const engines::Game& game, const Rule& rule);

}  // namespace referee::rubric
