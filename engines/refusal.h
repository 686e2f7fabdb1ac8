#pragma once

#include "engines/game.h"
#include "protocol/json/reader.h"

namespace engines {

// What was wrong first with a game's params, as start() tells it. Requires that something was.
inline SetupError refusal(const json::Mistakes& mistakes) {
    return {mistakes.first().path, mistakes.first().message};
}

}  // namespace engines
