#include "referee/game/clock/told_charge.h"

namespace referee::clock {

// Each part is the difference of two sums that are cut to microseconds. So nothing is lost between
// the parts, and the last sum is the wall time.
ToldCharge as_told(const Charge& charge) {
    auto sum = charge.charged;
    const auto part = [&sum](Duration time) {
        const auto before = in_us(sum);
        sum += time;
        return in_us(sum) - before;
    };
    ToldCharge told;
    told.charged_us = in_us(charge.charged);
    told.wall_us = in_us(charge.wall);
    told.allowed_us = part(charge.allowed);
    told.waited_us = part(charge.waited);
    told.corrected_us = part(charge.corrected);
    told.doubted_us = part(charge.doubted);
    if (charge.close) told.jitter_us = in_us(charge.jitter);
    return told;
}

}  // namespace referee::clock
