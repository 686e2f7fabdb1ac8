#pragma once

#include <string_view>

#include "referee/clock/time.h"

namespace referee::runtime {

// How much the referee itself stood still, as far as it knows: asked whenever a turn is judged.
class StallSource {
 public:
    virtual ~StallSource() = default;
    // Of the time between the two instants, as much as the referee did not live through: not more
    // than lies between them, but for time that the monotonic clock itself slept through.
    virtual Duration stalled(Instant from, Instant to) const = 0;
    // What most of it was, in plain words; empty where there was none.
    virtual std::string_view cause(Instant /*from*/, Instant /*to*/) const { return {}; }
};

}  // namespace referee::runtime
