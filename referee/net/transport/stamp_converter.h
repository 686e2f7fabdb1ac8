#pragma once

#include <ctime>
#include <optional>

#include "referee/game/clock/time.h"
#include "referee/net/loop/wall_clock.h"

namespace referee::transport {

// Turns the kernel's receive stamps, which are wall-clock time, into the referee's monotonic time.
// The wall clock may run faster or slower for a while, because something sets it right: that is
// measured from look to look, and counts for the age of the stamp. When it steps between arrival
// and reading, the stamp is useless.
class StampConverter {
 public:
    // Converts the stamp of something that happened a moment ago; nothing where it is useless.
    std::optional<Instant> convert(const timespec& wall_stamp);

    // How many steps of the wall clock were noticed.
    unsigned long steps() const { return steps_; }

 private:
    // Whether the wall clock stepped since the last look.
    bool look(const loop::WallClock& wall);

    std::optional<loop::WallClock> seen_;  // at the last look
    double slew_ = 0;  // by how much the wall clock gains, of the time that passes
    unsigned long steps_ = 0;
};

}  // namespace referee::transport
