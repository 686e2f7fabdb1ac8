#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "referee/games/trace/trace.h"

namespace referee::trace {

// A game's story in plain words, from its replay (see referee/games/play/README.md): how it was
// timed, each fault with what was received, when, what was charged of what, how it was measured,
// which rule it broke and what followed; and how it ended. `file` is for messages.
std::variant<std::string, Refusal> tell_story(std::string_view replay, const std::string& file);

}  // namespace referee::trace
