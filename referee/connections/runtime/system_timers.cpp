#include "referee/connections/runtime/system_timers.h"

#include <algorithm>
#include <utility>

namespace referee::runtime {

Instant monotonic_now() {
    return Instant(
        std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch()));
}

Duration SystemTimers::take_worst_error() {
    return std::exchange(worst_error_, Duration::zero());
}

void SystemTimers::wake_at(Instant at) {
    if (at < armed_) arm(at);
}

void SystemTimers::arm(Instant at) {
    armed_ = at;
    timer_.expires_at(std::chrono::steady_clock::time_point(at.time_since_epoch()));
    timer_.async_wait(life_.while_it_lasts([this](const boost::system::error_code& error) {
        if (error) return;  // the timer was set anew, or the program ends
        const auto planned = std::exchange(armed_, Instant::max());
        worst_error_ = std::max(worst_error_, now() - planned);
        run_due();
        if (!empty() && earliest() < armed_) arm(earliest());
    }));
}

}  // namespace referee::runtime
