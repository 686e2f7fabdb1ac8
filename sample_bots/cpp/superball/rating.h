#pragma once

#include <functional>
#include <optional>

#include "engines/superball/position.h"
#include "sample_bots/cpp/superball/groups.h"

namespace bots::superball {

// How good it is to have such a group.
using GroupRating = std::function<double(const Group&)>;

// A board is as good as its groups together.
double rate(const Board& board, const GroupRating& rating);

// The swap after which the board rates best. Every pair of pieces is weighed by what the two new
// places would do for the groups around them; the most promising pairs are then tried out.
// Nothing where there are no two pieces of different colours.
std::optional<engines::superball::Swap> best_swap(const Board& board, const GroupRating& rating);

}  // namespace bots::superball
