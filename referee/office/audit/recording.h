#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engines/registry.h"
#include "protocol/base/result.h"
#include "referee/games/result/result.h"
#include "referee/games/trace/fork_point.h"

namespace referee::audit {

// A recorded game, as it can be led through again: all of its turns.
struct Recording {
    const engines::Game* game = nullptr;
    GameKey key;
    trace::ForkPoint whole;  // its past has every turn
    std::string turns_text;  // the lines of its turns, as they stand in the replay
    // By seat: the names of the programs that played; empty where the referee launched none.
    std::vector<std::string> programs;
};

// Plays the replay again first: where the engine decides anything otherwise than the record tells,
// the refusal says what. `file` is for messages.
base::Result<Recording, std::string> recording_of(std::string_view replay, const std::string& file,
                                                  const engines::Registry& registry);

}  // namespace referee::audit
