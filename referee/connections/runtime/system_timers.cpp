#include "referee/connections/runtime/system_timers.h"

namespace referee::runtime {

Instant monotonic_now() {
    return Instant(
        std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch()));
}

void SystemTimers::run(boost::asio::io_context& loop) {
    while (loop.run_one() > 0 && !loop.stopped()) run_ready();
}

void SystemTimers::wake_at(Instant at) {
    if (at < armed_) arm(at);
}

void SystemTimers::arm(Instant at) {
    armed_ = at;
    timer_.expires_at(std::chrono::steady_clock::time_point(at.time_since_epoch()));
    timer_.async_wait(life_.while_it_lasts([this](const boost::system::error_code& error) {
        if (!error) run_ready();  // else the timer was set anew, or the program ends
    }));
}

void SystemTimers::run_ready() {
    if (armed_ > now()) return;
    armed_ = Instant::min();  // while calls run, none of them needs to set the timer
    run_due();
    armed_ = Instant::max();
    if (!empty()) arm(earliest());
}

}  // namespace referee::runtime
