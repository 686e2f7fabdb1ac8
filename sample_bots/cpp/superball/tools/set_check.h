#pragma once

#include <string>
#include <string_view>

#include "engines/superball/position.h"

// What a sb-analyze printed, against the board that it read.
namespace bots::superball::tools {

using engines::superball::Board;
using engines::superball::Rules;

// The first thing that is wrong: "the set of 6 'p' at the goal cell 3,0 is missing", "line 4 is no
// set: expected ...". Empty where each set that can be scored is named once: in any order, each by
// any of its goal cells. Blanks count for nothing where there may be some.
std::string mistake_in_sets(const Rules& rules, const Board& board, std::string_view printed);

}  // namespace bots::superball::tools
