#pragma once

#include <string>
#include <string_view>

namespace referee::daemon {

// The result that stands at the end of a replay, as JSON text; empty where there is none
// (referee/game/play/README.md has its members).
std::string result_in(std::string_view replay);

}  // namespace referee::daemon
