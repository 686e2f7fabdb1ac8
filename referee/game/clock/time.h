#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

// The first of some times, doubled for each further one in a row, and at most the last.
constexpr Duration doubled(Duration first, unsigned times, Duration most) {
    auto time = first;
    for (unsigned i = 1; i < times && time < most; ++i) time *= 2;
    return std::min(time, most);
}

// "1012.345 ms", "-0.105 ms".
std::string ms_text(Duration duration);
// "1 s", "50 ms", "0.250 ms".
std::string round_time(Duration duration);

}  // namespace referee

namespace protocol::json {
class Reader;
}

// Lengths of time as an instructor writes them, in configs and rubrics.

namespace referee::clock {

// "1s", "50ms", "10m"; nothing where it is no time.
std::optional<Duration> time_from(std::string_view text);

// "250ms", "1s", "10m", "2h", or an integer of microseconds. `value` stays as it is where the
// member is left out or wrong.
void read_time(protocol::json::Reader& reader, std::string_view name, Duration& value);

}  // namespace referee::clock
