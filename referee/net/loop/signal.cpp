#include "referee/net/loop/signal.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace referee::loop {

boost::asio::awaitable<void> Signal::wait() {
    while (!std::exchange(notified_, false)) {
        co_await timer_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    }
}

}  // namespace referee::loop
