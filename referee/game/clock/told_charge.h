#pragma once

#include <cstdint>

#include "referee/game/clock/seat_clock.h"

namespace referee::clock {

// A charge as it is told: in whole microseconds that add up as the charge itself does. Where wall
// time is charged, charged + allowed + waited + corrected + doubted == wall, exactly. So a part may
// differ by one from its own time, cut to microseconds; what is charged and the wall time never do.
struct ToldCharge {
    std::int64_t charged_us = 0;
    std::int64_t wall_us = 0;
    std::int64_t allowed_us = 0;
    std::int64_t waited_us = 0;
    std::int64_t corrected_us = 0;
    std::int64_t doubted_us = 0;
    // Told only where the verdict was late, in doubt, or close (Charge::close); otherwise zero.
    std::int64_t jitter_us = 0;

    // The wall time can't be seen from the charge and what was allowed.
    bool wall_matters() const { return wall_us != charged_us + allowed_us; }
};
ToldCharge as_told(const Charge& charge);

}  // namespace referee::clock
