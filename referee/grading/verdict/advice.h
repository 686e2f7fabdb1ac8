#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "referee/grading/rubric/rubric.h"

namespace referee::verdict {

// Lines on faults say the same where they differ in their numbers alone. On ends of games these are
// what is said. Slips are faults that cost little: each step says them anew, with what they cost.
enum class Advice : std::uint8_t { on_faults, on_ends, on_slips };

// What steps have said of their games, with the title of the step that did; and of each of these
// how many things it says.
struct EarlierAdvice {
    std::map<std::string, std::string> by;
    std::map<std::pair<std::string, Advice>, std::size_t> things;
};

// The first of them, each said once with the names of others that say the same ("game ann/1.1 and 9
// more (1.2 to 1.10): it printed nothing"), and which more there are. Of all that an earlier
// step has said, on an end of the same game, it says that alone, and of which games.
std::vector<std::string> first_of(Advice kind, const std::vector<std::string>& advice,
                                  const rubric::Step& step, EarlierAdvice& told);

}  // namespace referee::verdict
