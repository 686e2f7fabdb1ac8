#include "referee/net/transport/listener.h"

#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

#include "referee/net/loop/timers.h"

namespace referee::transport {
namespace {

using boost::asio::ip::tcp;

class ListenerTest : public ::testing::Test {
 protected:
    void start() {
        listener->start(
            [this](auto transport) {
                ++accepted;
                from_elsewhere += transport->peer_address() == "127.0.0.1" ? 0 : 1;
                last = std::move(transport);
            },
            [this](const auto& reason) { paused_by = reason; });
    }
    // From an address in 127.0.0.0/8.
    tcp::socket dialled(unsigned host = 1) {
        const auto endpoint = listener->endpoint();
        const auto port =
            static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
        const boost::asio::ip::address_v4 from((127U << 24U) + host);
        tcp::socket socket(io, tcp::endpoint(from, 0));
        socket.connect({boost::asio::ip::address_v4::loopback(), port});
        return socket;
    }
    void run_until_accepted(int count) {
        while (accepted < count) io.run_one();
    }

    boost::asio::io_context io;
    std::unique_ptr<Listener> listener = *Listener::open(io.get_executor(), "127.0.0.1", 0);
    std::unique_ptr<transport::Transport> last;
    int accepted = 0;
    int from_elsewhere = 0;
    std::string paused_by;
};

// The listener ends when a connection is accepted already and the loop is about to tell it: nobody
// may touch the listener any more. Only sanitizers notice a mistake here.
TEST_F(ListenerTest, MayEndBeforeItsLoop) {
    start();
    const auto first = dialled();
    const auto second = dialled();
    run_until_accepted(1);
    listener.reset();
    EXPECT_GT(io.poll(), 0U);
    EXPECT_EQ(accepted, 1);
}

// Who was accepted before it was closed, and not told of yet, is hung up on: whoever closes it may
// have put away what a guest would need.
TEST_F(ListenerTest, TellsNobodyOfGuestsOnceItIsClosed) {
    start();
    const auto first = dialled();
    auto second = dialled();
    run_until_accepted(1);
    listener->close();
    EXPECT_GT(io.run(), 0U);
    EXPECT_EQ(accepted, 1);
    std::array<char, 1> byte{};
    boost::system::error_code hung_up;
    second.read_some(boost::asio::buffer(byte), hung_up);
    EXPECT_TRUE(hung_up);
}

// A bot with a network of its own dials in at a socket that was made there.
TEST_F(ListenerTest, AdoptsASocketThatListens) {
    tcp::acceptor made_there(io, {boost::asio::ip::address_v4::loopback(), 0});
    listener = *Listener::adopt(io.get_executor(), made_there.release());
    start();
    const auto bot = dialled();
    run_until_accepted(1);
    EXPECT_TRUE(last->from_this_machine());
    EXPECT_TRUE(last->stamped_by_kernel());
    listener->close();
    tcp::socket late(io);
    boost::system::error_code refused;
    late.connect(bot.remote_endpoint(), refused);
    EXPECT_TRUE(refused) << "it belongs to the listener";
}

TEST_F(ListenerTest, AdoptsNothingElse) {
    const auto adopted = Listener::adopt(io.get_executor(), -1);
    ASSERT_FALSE(adopted);
    EXPECT_NE(adopted.error().find("can't listen on a socket of a bot: "), std::string::npos);
}

// A crowd that nobody has accepted yet is in, whole: whom a full queue loses may not know it. And
// it is no queue for those who come from elsewhere. Few of them happen to share the crowd's.
TEST_F(ListenerTest, KeepsNobodyWaitingBehindACrowdFromElsewhere) {
    constexpr int others = 12;
    constexpr int crowd = 600;
    std::vector<tcp::socket> guests;
    for (int i = 0; i < crowd; ++i) guests.push_back(dialled());
    for (int i = 0; i < others; ++i) guests.push_back(dialled(2 + static_cast<unsigned>(i)));
    start();
    run_until_accepted(2 * others);
    EXPECT_GE(from_elsewhere, others / 2);
    run_until_accepted(crowd + others);
    EXPECT_EQ(from_elsewhere, others);
}

// What comes before it is accepted has its stamp too, as the kernel stamps from the day on which
// somebody listens. It takes a moment to begin, on a busy machine longer: hence the tries.
TEST_F(ListenerTest, LetsTheKernelStampBeforeAnybodyComes) {
    using namespace std::chrono_literals;
    constexpr int tries_max = 50;
    start();
    bool stamped = false;
    for (int i = 0; i < tries_max && !stamped; ++i) {
        auto bot = dialled();
        const std::string hello = "hello\n";
        ASSERT_EQ(send(bot.native_handle(), hello.data(), hello.size(), 0), 6);
        const auto said = loop::monotonic_now();
        std::this_thread::sleep_for(20ms);  // time: nobody accepts for a while
        const auto before = loop::monotonic_now();
        run_until_accepted(i + 1);
        std::array<char, 64> room{};
        const auto read = last->read(room);
        ASSERT_EQ(read.bytes, hello.size());
        stamped = read.stamp.latest < said + (before - said) / 2;
    }
    EXPECT_TRUE(stamped);
}

// From the socket that listens; a call for each would cost a crowd its time.
TEST_F(ListenerTest, WhoIsAcceptedIsSetUpForBots) {
    files::Descriptor socket;
    listener->start_with_sockets(
        [&](const auto& /*executor*/, auto accepted_one) {
            socket = std::move(accepted_one);
            ++accepted;
        },
        [](const auto& /*reason*/) {}, nullptr, "");
    const auto bot = dialled();
    run_until_accepted(1);
    for (const auto& [level, option, wanted] : {std::tuple(SOL_SOCKET, SO_KEEPALIVE, 1),
                                                {SOL_SOCKET, SO_TIMESTAMPNS, 1},
                                                {IPPROTO_TCP, TCP_NODELAY, 1},
                                                {IPPROTO_TCP, TCP_KEEPIDLE, 10},
                                                {IPPROTO_TCP, TCP_KEEPINTVL, 5},
                                                {IPPROTO_TCP, TCP_KEEPCNT, 2},
                                                {IPPROTO_TCP, TCP_USER_TIMEOUT, 20'000},
                                                {IPPROTO_TCP, TCP_NOTSENT_LOWAT, 64 * 1024}}) {
        int found = 0;
        socklen_t size = sizeof found;
        EXPECT_EQ(getsockopt(socket.get(), level, option, &found, &size), 0);
        EXPECT_EQ(found, wanted) << level << " " << option;
    }
}

// Nobody is lost where descriptors run out: who waits comes in when there are some again.
TEST_F(ListenerTest, PausesWithoutDescriptorsAndGoesOn) {
    const auto guest = dialled();
    start();
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const rlimit none{3, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
    while (paused_by.empty() && accepted == 0) io.run_one();
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_EQ(accepted, 0);
    EXPECT_NE(paused_by.find("Too many open files"), std::string::npos) << paused_by;
    run_until_accepted(1);
}

// Connections of one machine to a socket that listens, from addresses in 127.0.0.0/8.
class NewcomersTest : public ::testing::Test {
 protected:
    NewcomersTest() { listening_.native_non_blocking(true); }

    static boost::asio::ip::address_v4 loopback(unsigned host) {
        return boost::asio::ip::address_v4((127U << 24U) + host);
    }

    // Returns its port, by which it is known again.
    int come(unsigned host, std::string_view says = {}) {
        auto& guest = guests_.emplace_back(io_, tcp::endpoint(loopback(host), 0));
        guest.connect(listening_.local_endpoint());
        EXPECT_EQ(guest.send(boost::asio::buffer(says)), says.size());
        return guest.local_endpoint().port();
    }
    void reset_last() {
        guests_.back().set_option(tcp::socket::linger(true, 0));
        guests_.back().close();  // its end alone would be no reset
        guests_.pop_back();
    }

    int next() {
        auto guest = newcomers_.next();
        if (!guest) return 0;
        return tcp::socket(io_, tcp::v4(), guest.release()).remote_endpoint().port();
    }
    void take(std::size_t most = 100) {
        EXPECT_FALSE(newcomers_.take(listening_.native_handle(), most));
    }

    boost::asio::io_context io_;
    tcp::acceptor listening_{io_, {loopback(1), 0}};
    std::vector<tcp::socket> guests_;
    Newcomers newcomers_;
};

TEST_F(NewcomersTest, WhoMayLogInGoesBeforeWhoSentNonsense) {
    const int nonsense = come(1, "nonsense\n");
    const int silent = come(1);
    const int login = come(1, R"({"type":"login")");
    const int tls = come(1, "\x16\x03\x01");
    take();
    EXPECT_EQ(next(), silent);
    EXPECT_EQ(next(), login);
    EXPECT_EQ(next(), tls);
    EXPECT_EQ(next(), nonsense);
    EXPECT_EQ(next(), 0);
}

TEST_F(NewcomersTest, WhatWasSaidAtAUnixSocketIsHeardWhenItsSpeakerHasHungUp) {
    using local = boost::asio::local::stream_protocol;
    const local::endpoint place('\0' + std::string("newcomers_test") + std::to_string(getpid()));
    local::acceptor listening(io_, place);
    listening.native_non_blocking(true);
    {
        local::socket guest(io_);
        guest.connect(place);
        guest.send(boost::asio::buffer("{}\n", 3));
    }
    EXPECT_FALSE(newcomers_.take(listening.native_handle(), 1));
    EXPECT_TRUE(newcomers_.next());
}

TEST_F(NewcomersTest, WhoHungUpIsNoneOfThem) {
    for (const auto* says : {"", "nonsense\n", R"({"type":"login"})"}) {
        come(1, says);
        reset_last();
    }
    come(1);
    guests_.pop_back();
    const int there = come(1);
    take();
    EXPECT_EQ(next(), there);
    EXPECT_TRUE(newcomers_.empty());
}

TEST_F(NewcomersTest, TheNetworkThatWasLetInLongestAgoGoesFirst) {
    std::vector<int> crowd;
    for (int i = 0; i < 5; ++i) crowd.push_back(come(1));
    take();
    EXPECT_EQ(next(), crowd[0]);
    const int other = come(2);
    take();
    EXPECT_EQ(next(), other);
    EXPECT_EQ(next(), crowd[1]);
}

TEST_F(NewcomersTest, WhoSentNonsenseIsHungUpOnWhereAskedAndNobodyElse) {
    come(1, "nonsense\n");
    const int silent = come(1);
    const int login = come(1, R"({"type":"login"})");
    take();
    newcomers_.hang_up_on_who_sent_no_login();
    EXPECT_EQ(next(), silent);
    EXPECT_EQ(next(), login);
    EXPECT_EQ(next(), 0);
    char byte = 0;
    EXPECT_LE(::recv(guests_[0].native_handle(), &byte, 1, 0), 0);
}

TEST_F(NewcomersTest, AreTakenUpToTheMostAndTroubleIsTold) {
    for (int i = 0; i < 3; ++i) come(1);
    take(2);
    EXPECT_NE(next(), 0);
    EXPECT_NE(next(), 0);
    EXPECT_EQ(next(), 0);
    EXPECT_TRUE(newcomers_.take(-1, 2));
}

}  // namespace
}  // namespace referee::transport
