#pragma once

#include <ctime>
#include <optional>

#include "referee/games/clock/time.h"

namespace referee::net {

// Turns the kernel's receive stamps, which are wall-clock time, into the referee's monotonic time.
// A step of the wall clock between arrival and reading makes a stamp useless: then the moment of
// reading stands in for it, which can only be later.
class StampConverter {
 public:
    // The stamp of what was read just now.
    Instant convert(const timespec& wall_stamp);

    // Steps of the wall clock that were noticed.
    unsigned long steps() const { return steps_; }

 private:
    std::optional<Duration> ahead_;  // of the wall clock, when last looked at
    unsigned long steps_ = 0;
};

}  // namespace referee::net
