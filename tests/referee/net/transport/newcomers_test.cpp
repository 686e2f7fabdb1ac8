#include "referee/net/transport/newcomers.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace referee::transport {
namespace {

using boost::asio::ip::tcp;

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
