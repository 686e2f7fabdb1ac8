#include "referee/net/receive_stamp.h"

#include <algorithm>

#include "referee/runtime/system_timers.h"

namespace referee::net {
namespace {

// Clock discipline (slewing) moves the wall clock by at most 500 us a second; between two reads of
// one connection that are a turn apart it stays below this. More is a step.
constexpr Duration step_min = std::chrono::milliseconds(5);

Duration since_epoch(const timespec& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

Instant StampConverter::convert(const timespec& wall_stamp) {
    timespec wall_now{};
    clock_gettime(CLOCK_REALTIME, &wall_now);
    const auto now = runtime::monotonic_now();
    const auto offset = now.time_since_epoch() - since_epoch(wall_now);
    const bool stepped = known_ && (offset - offset_ > step_min || offset_ - offset > step_min);
    known_ = true;
    offset_ = offset;
    if (stepped) {
        ++steps_;
        return now;
    }
    return std::min(Instant(since_epoch(wall_stamp) + offset), now);
}

}  // namespace referee::net
