#pragma once

#include <cstdint>
#include <string_view>

#include "referee/clock/time.h"

namespace referee::runtime {

// Whose stalls are asked for.
enum class StallsOf : std::uint8_t {
    // What may have stopped the whole machine. A turn of a bot elsewhere is touched by nothing
    // else:
    // its answer is stamped by the kernel, which goes on while the referee's process stands.
    machine,
    // And what stopped the referee's process alone: where the referee itself takes the stamps, and
    // for bots that share the machine with it.
    process,
};

// How much the referee itself stood still, as far as it knows: asked whenever a turn is judged.
class StallSource {
 public:
    virtual ~StallSource() = default;
    // Of the time between the two instants, as much as the referee did not live through: not more
    // than lies between them, but for time that the monotonic clock itself slept through.
    virtual Duration stalled(StallsOf whose, Instant from, Instant to) const = 0;
    // What most of it was, in plain words; empty where there was none.
    virtual std::string_view cause(StallsOf /*whose*/, Instant /*from*/, Instant /*to*/) const {
        return {};
    }
};

}  // namespace referee::runtime
