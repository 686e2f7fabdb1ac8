#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "referee/connections/runtime/life.h"
#include "referee/connections/runtime/timers.h"

namespace referee::runtime {

// The machine's monotonic clock (CLOCK_MONOTONIC) as an instant.
Instant monotonic_now();

// Timers on the machine's monotonic clock, by one timer of the io context.
class SystemTimers final : public Timers {
 public:
    explicit SystemTimers(const boost::asio::any_io_executor& executor) : timer_(executor) {}
    Instant now() const override { return monotonic_now(); }

    // How late the worst wake-up was since the last call of this: the referee's own timer error.
    // Zero where none was late.
    Duration take_worst_error();

 private:
    void wake_at(Instant at) override;
    void arm(Instant at);

    boost::asio::steady_timer timer_;
    Instant armed_ = Instant::max();
    Duration worst_error_{};
    Life life_;
};

}  // namespace referee::runtime
