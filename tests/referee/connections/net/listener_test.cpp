#include "referee/connections/net/listener.h"

#include <gtest/gtest.h>

#include <sys/socket.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <string>
#include <thread>

#include "referee/connections/runtime/system_timers.h"

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

// The listener ends when a connection is accepted already and the loop is about to tell it: nobody
// may touch the listener any more. Only sanitizers notice a mistake here.
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

// What comes before it is accepted has its stamp too, as the kernel stamps from the day on which
// somebody listens. It takes a moment to begin, on a busy machine longer: hence the tries.
TEST(Listener, LetsTheKernelStampBeforeAnybodyComes) {
    using namespace std::chrono_literals;
    constexpr int tries_max = 50;
    boost::asio::io_context loop;
    auto listener = *Listener::open(loop.get_executor(), "127.0.0.1", 0);
    std::unique_ptr<runtime::Transport> accepted;
    listener->start([&](auto transport) { accepted = std::move(transport); },
                    [](const auto& /*reason*/) {});
    bool stamped = false;
    for (int i = 0; i < tries_max && !stamped; ++i) {
        auto bot = dialled(loop, listener->endpoint());
        const std::string hello = "hello\n";
        ASSERT_EQ(send(bot.native_handle(), hello.data(), hello.size(), 0), 6);
        std::this_thread::sleep_for(20ms);
        const auto before = runtime::monotonic_now();
        accepted.reset();
        while (!accepted) loop.run_one();
        std::array<char, 64> room{};
        const auto read = accepted->read(room);
        ASSERT_EQ(read.bytes, hello.size());
        stamped = read.stamp.latest < before - 10ms;
    }
    EXPECT_TRUE(stamped);
}

}  // namespace
}  // namespace referee::net
