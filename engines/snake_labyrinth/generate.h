#pragma once

#include <string>

#include "engines/maps.h"
#include "protocol/base/result.h"

namespace engines::snake_labyrinth {

// A fresh maze of a level ("challenge1" to "final"), as the text of a maze file: the same request
// gives the same text on every machine. An exit can always be reached without drilling, and the
// level's promise is kept. Sides go from 5 to side_max; where absent, they are drawn.
base::Result<std::string, MapError> generate_maze(const GenerateRequest& request);

}  // namespace engines::snake_labyrinth
