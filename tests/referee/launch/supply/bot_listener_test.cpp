// A door on this machine's own network: what connects there, and how much of it.

#include "referee/launch/supply/running_bot.h"

#include <gtest/gtest.h>

#include <netinet/in.h>
#include <sys/socket.h>

#include <boost/asio/ip/tcp.hpp>
#include <vector>

#include "tests/sim/lobby_room.h"

namespace tests::sim {
namespace {

using boost::asio::ip::tcp;
using referee::supply::BotListener;

class AtADoor {
 public:
    AtADoor() {
        referee::process::Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* const as_socket = reinterpret_cast<sockaddr*>(&address);
        EXPECT_EQ(::bind(socket.get(), as_socket, size), 0);
        EXPECT_EQ(::listen(socket.get(), 64), 0);
        EXPECT_EQ(::getsockname(socket.get(), as_socket, &size), 0);
        port = ntohs(address.sin_port);
        door =
            BotListener::open(std::move(socket), *room.lobby, loop().get_executor(),
                              {"ada", [] { return std::nullopt; }, [](const auto& /*message*/) {},
                               [this](const auto& why) { refusals.push_back(why); }});
    }
    boost::asio::io_context& loop() { return room.world.loop(); }

    // Whether the referee takes the connection, or closes it.
    bool dial() {
        bots.emplace_back(loop()).connect({boost::asio::ip::address_v4::loopback(), port});
        bots.back().native_non_blocking(true);
        for (;;) {
            loop().restart();
            loop().poll();
            char byte = 0;
            const auto got = ::recv(bots.back().native_handle(), &byte, 1, 0);
            if (got >= 0 || errno != EAGAIN) return got > 0;  // the first of its hello
        }
    }

    LobbyRoom room;
    std::uint16_t port = 0;
    std::vector<std::string> refusals;
    std::unique_ptr<BotListener> door;
    std::vector<tcp::socket> bots;
};

TEST(BotListener, LeadsToTheLobby) {
    AtADoor at;
    EXPECT_TRUE(at.dial());
    EXPECT_EQ(at.room.lobby->connections(), 1U);
}

TEST(BotListener, TakesNoMoreConnectionsThanABotNeeds) {
    AtADoor at;
    for (int i = 0; i < BotListener::connections_max; ++i) EXPECT_TRUE(at.dial()) << i;
    EXPECT_TRUE(at.refusals.empty());
    EXPECT_FALSE(at.dial());
    EXPECT_FALSE(at.dial());
    ASSERT_EQ(at.refusals.size(), 2U);
    EXPECT_NE(at.refusals[0].find("4 connections open"), std::string::npos) << at.refusals[0];
    EXPECT_EQ(at.room.lobby->connections(), BotListener::connections_max);
    at.bots.front().close();
    while (at.room.lobby->connections() == BotListener::connections_max) {
        at.loop().restart();
        at.loop().poll();
    }
    EXPECT_TRUE(at.dial()) << "one has ended";
}

TEST(BotListener, IsNoneWithoutASocket) {
    LobbyRoom room;
    EXPECT_EQ(BotListener::open({}, *room.lobby, room.world.loop().get_executor(), {}), nullptr);
}

}  // namespace
}  // namespace tests::sim
