#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "referee/grading/rubric/rubric.h"

// How sure a step is: with which chance it passes a program of a known strength.

namespace referee::verdict {

// A program that wins each game with this chance wins at least `wins` of `games`.
double chance_of_wins(double win, std::uint32_t games, std::uint32_t wins);

// A line for students: "passes a program that wins half of such games in 50 of 100 cases, one that
// wins nine of ten in 97".
std::string chances_of(const rubric::Step& step, const rubric::Series& series, std::uint32_t games);

}  // namespace referee::verdict
