#pragma once

#include <string_view>

namespace referee::control {

// Whether two secrets are the same; takes as long for a wrong one as for a right one, so that time
// tells nothing about it.
bool same_secret(std::string_view a, std::string_view b);

}  // namespace referee::control
