#include "referee/net/transport/stamp_converter.h"

#include <algorithm>

#include "referee/net/loop/system_timers.h"
#include "referee/net/loop/wall_clock.h"

namespace referee::transport {
namespace {

// More than a wall clock gains or loses between two reads of one connection, which are a turn
// apart, while something sets it right: 500 us a second as a rule, 5 ms a second on some virtual
// machines. A larger change is a step.
constexpr Duration step_min = std::chrono::milliseconds(10);
// Looks that are closer together tell little about how fast it runs.
constexpr Duration slew_measured_over_min = std::chrono::milliseconds(5);

Duration since_epoch(const timespec& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

bool StampConverter::look(const loop::WallClock& wall) {
    if (!seen_) {
        seen_ = wall;
        return false;
    }
    const auto change = wall.ahead - seen_->ahead;
    const auto passed = wall.at - seen_->at;
    if (change > step_min || change < -step_min) {
        seen_ = wall;
        slew_ = 0;
        ++steps_;
        return true;
    }
    if (passed < slew_measured_over_min) return false;
    slew_ = static_cast<double>(change.count()) / static_cast<double>(passed.count());
    seen_ = wall;
    return false;
}

std::optional<Instant> StampConverter::convert(const timespec& wall_stamp) {
    const auto wall = loop::read_wall_clock();
    if (wall && look(*wall)) return std::nullopt;
    if (!wall && !seen_) return std::nullopt;
    const auto& known = wall ? *wall : *seen_;
    const auto now = wall ? wall->at : loop::monotonic_now();
    const auto stamp = Instant(since_epoch(wall_stamp) - known.ahead);
    const auto age = static_cast<double>((known.at - stamp).count());
    const auto gained = Duration(static_cast<Duration::rep>(age * slew_));
    return std::min(stamp + gained, now);
}

}  // namespace referee::transport
