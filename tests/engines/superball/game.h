#pragma once

#include "engines/superball/superball.h"

namespace tests {

inline const auto superball_game = engines::superball::make_game({});

}  // namespace tests
