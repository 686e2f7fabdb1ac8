#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

namespace referee::loop {

// One coroutine waits, others wake it: a condition on a loop of one thread. A notify() while nobody
// waits is kept for the next wait().
class Signal {
 public:
    explicit Signal(const boost::asio::any_io_executor& executor)
        : timer_(executor, boost::asio::steady_timer::time_point::max()) {}

    void notify() {
        notified_ = true;
        timer_.cancel();
    }
    boost::asio::awaitable<void> wait();

 private:
    boost::asio::steady_timer timer_;
    bool notified_ = false;
};

}  // namespace referee::loop
