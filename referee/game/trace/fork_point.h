#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engines/registry.h"
#include "protocol/base/result.h"
#include "referee/game/clock/clock_config.h"
#include "referee/game/play/past.h"
#include "referee/game/trace/trace.h"

namespace referee::trace {

// A position of a recorded game, and all that it takes to go on from there.
struct ForkPoint {
    std::string game;
    std::string params;  // JSON text
    std::uint32_t seed = 1;
    clock::ClockConfig clock;
    play::Past past;
};

// The position of the replay in which `turn` was played, or would have been next. Nothing that
// came from that turn on happened, the loss of a bot that failed there included. `file` is for
// messages, which name the turns that there are.
base::Result<ForkPoint, Refusal> fork_point(std::string_view replay, const std::string& file,
                                            std::int64_t turn, const engines::Registry& registry);

}  // namespace referee::trace
