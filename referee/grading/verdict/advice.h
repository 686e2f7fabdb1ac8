#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "referee/grading/rubric/rubric.h"

namespace referee::verdict {

// What steps have said of their games, and the title of the step that did.
using Told = std::map<std::string, std::string>;

// Lines on faults say the same where they differ in their numbers alone. On ends of games these are
// what is said.
enum class Advice : std::uint8_t { on_faults, on_ends };

// The first of them, each said once with how many others say the same ("game ann/1.1 and 99 more:
// it printed nothing"), and how many more there are. What an earlier step has said isn't said
// again.
std::vector<std::string> first_of(Advice kind, const std::vector<std::string>& advice,
                                  const rubric::Step& step, Told& told);

}  // namespace referee::verdict
