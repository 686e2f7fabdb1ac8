#pragma once

#include <string>
#include <vector>

namespace tests::sim {

// Lines that are not valid messages, without their ends: of each kind one or a few.
const std::vector<std::string>& bad_lines();

}  // namespace tests::sim
