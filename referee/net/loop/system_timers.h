#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <optional>

#include "referee/net/loop/life.h"
#include "referee/net/loop/timers.h"

namespace referee::loop {

// The machine's monotonic clock (CLOCK_MONOTONIC) as an instant.
Instant monotonic_now();

// Timers on the machine's monotonic clock, by one timer of the io context.
class SystemTimers final : public Timers {
 public:
    explicit SystemTimers(const boost::asio::any_io_executor& executor) : timer_(executor) {}
    Instant now() const override { return monotonic_now(); }

    // Runs the loop until it is stopped or has nothing left to do. Before each of its handlers it
    // runs all that is due, and one call of those after due ones: so a due call waits for a handler
    // and such a call at most, and no handler waits for ever. Without this a due call waits, as any
    // handler does, for all that are ready before it.
    //
    // A loop that always has something to do leaves its core to others for a moment now and then
    // (priority.h).
    void run(boost::asio::io_context& loop);

 private:
    void wake_at(Instant at) override;
    void arm(Instant at);
    void on_timer();
    // A loop believes that it has nothing left to do when only calls wait.
    void keep_loop();

    boost::asio::steady_timer timer_;
    Instant armed_ = Instant::max();
    bool runs_ = false;  // the loop, by run()
    std::optional<boost::asio::executor_work_guard<boost::asio::steady_timer::executor_type>> kept_;
    Life life_;
};

}  // namespace referee::loop
