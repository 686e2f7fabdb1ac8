#pragma once

#include <cstdint>
#include <optional>

#include "referee/game/clock/time.h"

namespace referee::loop {

// How far the machine's wall clock (CLOCK_REALTIME) is ahead of its monotonic one.
struct WallClock {
    Duration ahead;
    Instant at;  // when it was so
};

// Reads it now. Returns nothing where the two clocks could not be read close to one another,
// because the processor was taken away between them again and again: a guess would look like a step
// of the clock.
std::optional<WallClock> read_wall_clock();

// What the wall clock says, in milliseconds since 1970.
std::int64_t wall_clock_ms();

}  // namespace referee::loop
