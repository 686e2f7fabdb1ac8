#pragma once

#include <optional>

#include "referee/clock/time.h"

namespace referee::runtime {

// How far the machine's wall clock (CLOCK_REALTIME) is ahead of its monotonic one, now. Nothing
// where the two could not be read close to one another, because the processor was taken away
// between them again and again: a guess would look like a step of the clock.
std::optional<Duration> wall_clock_ahead();

}  // namespace referee::runtime
