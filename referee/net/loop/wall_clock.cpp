#include "referee/net/loop/wall_clock.h"

#include <chrono>
#include <ctime>

#include "referee/net/loop/system_timers.h"

namespace referee::loop {
namespace {

// Two readings that are further apart than this were interrupted.
constexpr Duration apart_max = std::chrono::microseconds(20);
constexpr int tries_max = 4;

}  // namespace

std::optional<WallClock> read_wall_clock() {
    for (int i = 0; i < tries_max; ++i) {
        const auto before = monotonic_now();
        timespec wall{};
        clock_gettime(CLOCK_REALTIME, &wall);
        const auto after = monotonic_now();
        if (after - before > apart_max) continue;
        const Duration since_epoch =
            std::chrono::seconds(wall.tv_sec) + std::chrono::nanoseconds(wall.tv_nsec);
        return WallClock{since_epoch - (before + (after - before) / 2).time_since_epoch(), after};
    }
    return std::nullopt;
}

std::int64_t wall_clock_ms() {
    const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since_1970).count();
}

}  // namespace referee::loop
