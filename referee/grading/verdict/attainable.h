#pragma once

#include <string>
#include <string_view>

#include "engines/game.h"

namespace referee::verdict {

// An outcome's detail with a member "attainable": what no play scores more than on these params, as
// far as the game can tell; unchanged where it can't, or where the detail has it. Requires: params
// that the game accepts, and an object.
std::string with_attainable(const engines::Game& game, std::string_view params,
                            std::string_view detail);

}  // namespace referee::verdict
