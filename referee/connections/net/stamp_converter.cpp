#include "referee/connections/net/stamp_converter.h"

#include <algorithm>

#include "referee/connections/runtime/system_timers.h"
#include "referee/connections/runtime/wall_clock.h"

namespace referee::net {
namespace {

// Clock discipline (slewing) moves the wall clock by at most 500 us a second. Between two reads of
// one connection, which are a turn apart, that stays below this limit. A larger change is a step.
constexpr Duration step_min = std::chrono::milliseconds(5);

Duration since_epoch(const timespec& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

std::optional<Instant> StampConverter::convert(const timespec& wall_stamp) {
    const auto wall = runtime::read_wall_clock();
    const auto now = wall ? wall->at : runtime::monotonic_now();
    const bool stepped =
        wall && ahead_ && (wall->ahead - *ahead_ > step_min || *ahead_ - wall->ahead > step_min);
    if (wall) ahead_ = wall->ahead;
    if (stepped || !ahead_) {
        steps_ += stepped ? 1 : 0;
        return std::nullopt;
    }
    return std::min(Instant(since_epoch(wall_stamp) - *ahead_), now);
}

}  // namespace referee::net
