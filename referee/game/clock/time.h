#pragma once

#include <chrono>
#include <cstdint>

// Time as the referee counts it. Nothing here reads a clock: instants come in from outside, so the
// same code runs on the machine's monotonic clock and on a simulated one.

namespace referee {

// The referee's time line; its zero means nothing. It has no now() on purpose.
struct Timeline {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<Timeline, duration>;
    static constexpr bool is_steady = true;
};

using Duration = std::chrono::nanoseconds;
using Instant = Timeline::time_point;

constexpr std::int64_t in_us(Duration duration) {
    return std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
}
constexpr double in_seconds(Duration duration) {
    return std::chrono::duration<double>(duration).count();
}
constexpr Duration from_us(std::int64_t us) {
    return std::chrono::microseconds(us);
}

}  // namespace referee
