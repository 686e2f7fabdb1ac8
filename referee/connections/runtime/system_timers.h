#pragma once

#include <boost/asio/io_context.hpp>
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

    // Runs the loop until it is stopped or has nothing left to do, and between any two of its
    // handlers what is due: so a due call waits for one handler at most. Without this it waits, as
    // any handler does, for all that are ready before it.
    void run(boost::asio::io_context& loop);

 private:
    void wake_at(Instant at) override;
    void arm(Instant at);
    void run_ready();

    boost::asio::steady_timer timer_;
    Instant armed_ = Instant::max();
    Life life_;
};

}  // namespace referee::runtime
