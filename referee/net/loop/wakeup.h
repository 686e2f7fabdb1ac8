#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace referee::loop {

// One coroutine waits, others wake it: a condition on a loop of one thread. A notify() while nobody
// waits is kept for the next wait().
class Wakeup {
 public:
    explicit Wakeup(const boost::asio::any_io_executor& executor)
        : timer_(executor, boost::asio::steady_timer::time_point::max()) {}

    void notify() {
        notified_ = true;
        timer_.cancel();
    }
    boost::asio::awaitable<void> wait() {
        while (!std::exchange(notified_, false))
            co_await timer_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    }

 private:
    boost::asio::steady_timer timer_;
    bool notified_ = false;
};

}  // namespace referee::loop
