#pragma once

#include <ctime>
#include <optional>

#include "referee/games/clock/time.h"

namespace referee::net {

// Turns the kernel's receive stamps, which are wall-clock time, into the referee's monotonic time.
// When the wall clock steps between arrival and reading, the stamp is useless.
class StampConverter {
 public:
    // Converts the stamp of something that happened a moment ago; nothing where it is useless.
    std::optional<Instant> convert(const timespec& wall_stamp);

    // How many steps of the wall clock were noticed.
    unsigned long steps() const { return steps_; }

 private:
    std::optional<Duration> ahead_;  // how far the wall clock was ahead at the last look
    unsigned long steps_ = 0;
};

}  // namespace referee::net
