#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace base {

// The name that somebody may have meant who typed `name`: the one that the fewest slips lead to,
// the first of several; empty where more than two slips, or more than a third of its letters, lead
// to each. A slip is a byte too many, too few, another one, or two that have changed places.
std::string nearest(std::string_view name, const std::vector<std::string>& known);

}  // namespace base
