#pragma once

#include <string>
#include <string_view>

#include "engines/registry.h"

namespace referee::config {

// That there is no game of this id: which one was meant, if one is near, and which there are.
std::string unknown_game(const engines::Registry& registry, std::string_view id);

}  // namespace referee::config
