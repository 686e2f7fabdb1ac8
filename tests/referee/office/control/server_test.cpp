#include "referee/office/control/server.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "referee/connections/runtime/system_timers.h"

namespace referee::control {
namespace {

using boost::asio::ip::tcp;

class NoCommands final : public Commands {
 public:
    void carry_out(protocol::json::View /*request*/, Answer answer) override {
        answer(refusal("none"));
    }
};

tcp::socket dialled(boost::asio::io_context& loop, const std::string& endpoint) {
    tcp::socket socket(loop);
    const auto port =
        static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
    socket.connect({boost::asio::ip::address_v4::loopback(), port});
    return socket;
}

// The server ends when a connection is accepted already and the loop is about to tell it: nobody
// may touch the server any more. Only sanitizers notice a mistake here.
TEST(ControlServer, MayEndBeforeItsLoop) {
    boost::asio::io_context loop;
    runtime::SystemTimers timers(loop.get_executor());
    NoCommands commands;
    auto server = std::make_unique<Server>(loop.get_executor(), timers, commands,
                                           [](const auto& /*news*/) {});
    ASSERT_TRUE(server->listen_tcp("127.0.0.1", 0, "token"));
    const auto first = dialled(loop, server->tcp_endpoint());
    const auto second = dialled(loop, server->tcp_endpoint());
    ASSERT_EQ(loop.run_one(), 1U);
    server.reset();
    EXPECT_GT(loop.poll(), 0U);
}

}  // namespace
}  // namespace referee::control
