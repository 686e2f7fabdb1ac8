#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "referee/grading/verdict/played.h"

namespace referee::verdict {

// An average score, with what it was measured by.
struct Average {
    double score = 0;
    std::size_t games = 0;
    std::string seeds;  // of the games, as in "1-100, 107"; empty: not all are known
};

// Requires: there are games.
Average average_of(const std::vector<const PlayedGame*>& games);

}  // namespace referee::verdict
