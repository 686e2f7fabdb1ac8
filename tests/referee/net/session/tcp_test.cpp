#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include "referee/net/lobby/lobby.h"
#include "referee/net/loop/timers.h"
#include "referee/net/transport/listener.h"
#include "tests/sim/lobby_room.h"
#include "tests/sim/open_roster.h"

// The same over real TCP, for all that a simulated link can't show.

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using boost::asio::ip::tcp;
using referee::session::CloseCause;
using ::testing::HasSubstr;

// A lobby that listens on a free port of this machine.
class TcpRoom final : public OpenRoster, public referee::lobby::LobbyEvents {
 public:
    TcpRoom()
        : timers(loop.get_executor()),
          lobby(timers, loop.get_executor(), *this, *this, {"walls"}, {}, "1.0") {
        auto opened = referee::transport::Listener::open(loop.get_executor(), "127.0.0.1", 0);
        listener = std::move(opened).value();
        listener->start([this](auto transport) { lobby.admit(std::move(transport)); },
                        [](const std::string&) {});
    }
    ~TcpRoom() override {
        listener->close();
        lobby.close_all(protocol::ByeReason::shutdown, "the test is over");
        loop.run_for(50ms);
    }
    void on_arrived(referee::lobby::Bot& /*bot*/) override {}
    void on_left(referee::lobby::Bot& /*bot*/, CloseCause cause) override {
        causes.push_back(cause);
    }

    std::uint16_t port() const {
        const auto text = listener->endpoint();
        return static_cast<std::uint16_t>(std::stoul(text.substr(text.rfind(':') + 1)));
    }
    // Until `done`, but not for ever.
    void run(const std::function<bool()>& done) {
        constexpr int looks_max = 20'000;
        for (int look = 0; look < looks_max && !done(); ++look) loop.run_for(1ms);
        EXPECT_TRUE(done());
    }

    boost::asio::io_context loop{1};
    referee::loop::SystemTimers timers;
    referee::lobby::Lobby lobby;
    std::unique_ptr<referee::transport::Listener> listener;
    std::vector<CloseCause> causes;
};

// A plain blocking socket.
class Client {
 public:
    explicit Client(std::uint16_t port, int receive_bytes = 0) {
        socket_.open(tcp::v4());
        if (receive_bytes > 0) socket_.set_option(tcp::socket::receive_buffer_size(receive_bytes));
        socket_.set_option(tcp::no_delay(true));
        socket_.connect({boost::asio::ip::address_v4::loopback(), port});
    }

    void send(std::string_view bytes) { boost::asio::write(socket_, boost::asio::buffer(bytes)); }
    // Bytes that have come to its machine and that it has not read.
    std::size_t unread() const { return socket_.available(); }

 private:
    boost::asio::io_context loop_;
    tcp::socket socket_{loop_};
};

constexpr std::string_view login = "{\"type\":\"login\",\"name\":\"ada\",\"games\":[\"walls\"]}\n";

// What the bot's own machine holds for it can't be counted here; all other bytes count, wherever
// they are.
TEST(Tcp, a_bot_that_never_reads_is_cut_at_the_backlog_that_is_promised) {
    constexpr std::size_t kernel_bytes_max = 256 * 1024;
    for (const int receive_bytes : {0, 4096}) {
        TcpRoom room;
        Client deaf(room.port(), receive_bytes);
        deaf.send(login);
        room.run([&] { return room.lobby.bot("ada").connected(); });
        const std::string text(1000, 'x');
        const protocol::Note note{.code = "old_turn", .message = text};
        std::size_t sent = 0;
        for (; sent < 40'000'000 && room.lobby.bot("ada").connected(); sent += text.size()) {
            auto& session = *room.lobby.bot("ada").session();
            session.send(note);
            session.flush();
            room.loop.poll();
        }
        EXPECT_EQ(room.causes, std::vector{CloseCause::backlog});
        const auto waiting = sent - deaf.unread();
        EXPECT_GT(waiting, protocol::limits::backlog_bytes_max - kernel_bytes_max);
        EXPECT_LT(waiting, protocol::limits::backlog_bytes_max + kernel_bytes_max);
        RecordProperty("bytes_waiting", static_cast<int>(waiting));
        std::cout << "cut with " << waiting << " bytes that its machine had not taken\n";
    }
}

TEST(Tcp, a_link_that_is_reset) {
    TcpRoom room;
    {
        Client client(room.port());
        client.send(login);
        room.run([&] { return room.lobby.bot("ada").connected(); });
        // Closed with bytes unread: the kernel resets the connection.
    }
    room.run([&] { return room.lobby.connections() == 0; });
    EXPECT_EQ(room.causes.size(), 1U);
}

TEST(Tcp, a_port_in_use_is_one_clear_line) {
    TcpRoom room;
    const auto again =
        referee::transport::Listener::open(room.loop.get_executor(), "127.0.0.1", room.port());
    ASSERT_FALSE(again);
    EXPECT_THAT(again.error(), HasSubstr("127.0.0.1:" + std::to_string(room.port())));
    EXPECT_EQ(again.error().find('\n'), std::string::npos);
}

TEST(Tcp, an_address_that_is_none) {
    boost::asio::io_context loop(1);
    for (const auto* address : {"localhost", "", "300.1.1.1", "1.2.3"}) {
        const auto opened = referee::transport::Listener::open(loop.get_executor(), address, 0);
        ASSERT_FALSE(opened) << address;
        EXPECT_THAT(opened.error(), HasSubstr("expected an IP address")) << address;
    }
}

}  // namespace
}  // namespace tests::sim
