#pragma once

#include <cstdint>
#include <string_view>

#include "referee/game/clock/time.h"

namespace referee::loop {

// Which stalls are asked for. Each kind includes the one before it.
enum class StallsOf : std::uint8_t {
    // What stopped the whole machine, or may have: not a stop of the referee's process alone. For
    // turns whose answers the kernel stamps: it goes on while the referee works, waits for a core,
    // or is stopped.
    machine,
    // Also what held up only the referee's process until the very end of that time, and so may have
    // made its own stamp late. For games that are tried alone. What was over before the end delayed
    // no stamp.
    stamp,
    // Also what the referee lost for want of a processor, or because its process was stopped, at
    // any time: the same may have befallen a bot on the same machine.
    cores,
    // Also all else that held up only the process, at any time: for a bot that waits for the
    // process.
    process,
};

// How much the referee itself stood still, as far as it knows. It is asked whenever a turn is
// judged.
class StallSource {
 public:
    virtual ~StallSource() = default;
    // How much of the time between the two instants the referee did not live through. Never more
    // than the time between them, except for time that the monotonic clock itself slept through.
    virtual Duration stalled(StallsOf whose, Instant from, Instant to) const = 0;
    // The main cause of it, in plain words; empty where nothing was lost.
    virtual std::string_view cause(StallsOf /*whose*/, Instant /*from*/, Instant /*to*/) const {
        return {};
    }
};

}  // namespace referee::loop
