#include "referee/connections/net/listener.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

namespace referee::net {
namespace {

using boost::asio::ip::tcp;

tcp::socket dialled(boost::asio::io_context& loop, const std::string& endpoint) {
    tcp::socket socket(loop);
    const auto port =
        static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
    socket.connect({boost::asio::ip::address_v4::loopback(), port});
    return socket;
}

// A connection is accepted already, and the loop is about to tell, when the listener ends: nobody
// may touch it any more. Only sanitizers see it.
TEST(Listener, MayEndBeforeItsLoop) {
    boost::asio::io_context loop;
    auto listener = *Listener::open(loop.get_executor(), "127.0.0.1", 0);
    int accepted = 0;
    listener->start([&](const auto& /*transport*/) { ++accepted; }, [](const auto& /*reason*/) {});
    const auto first = dialled(loop, listener->endpoint());
    const auto second = dialled(loop, listener->endpoint());
    while (accepted == 0) loop.run_one();
    listener.reset();
    EXPECT_GT(loop.poll(), 0U);
    EXPECT_EQ(accepted, 1);
}

}  // namespace
}  // namespace referee::net
