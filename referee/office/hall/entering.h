#pragma once

#include <optional>
#include <string>

#include "referee/office/hall/candidate.h"
#include "referee/office/hall/hall.h"

// Who enters the Hall of Fame, and who doesn't.

namespace referee::hall {

struct Entering {
    std::optional<journal::FameRecord> record;  // to be written down; none: all stays as it is
    bool is_in = false;                         // whether the name has a place now
    std::string told;                           // "ann enters with 712.5"
};

// A name keeps its best of a semester. `bar`: the least average, in thousandths.
Entering enter(const Hall& hall, const Candidate& candidate, const std::string& semester,
               std::int64_t bar);

// "650.98", "712.5", "-3".
std::string average_text(std::int64_t thousandths);

}  // namespace referee::hall
