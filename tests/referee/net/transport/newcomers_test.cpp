#include "referee/net/transport/newcomers.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <string>
#include <string_view>
#include <vector>

namespace referee::transport {
namespace {

using files::Descriptor;

// Connections of one machine to a socket that listens, from addresses in 127.0.0.0/8.
class NewcomersTest : public ::testing::Test {
 protected:
    void SetUp() override {
        listening_.reset(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        address_ = loopback(1);
        ASSERT_EQ(::bind(listening_.get(), as_address(address_), sizeof address_), 0);
        ASSERT_EQ(::listen(listening_.get(), 100), 0);
        socklen_t size = sizeof address_;
        ASSERT_EQ(::getsockname(listening_.get(), as_address(address_), &size), 0);
    }

    static sockaddr_in loopback(unsigned host) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + host);
        return address;
    }
    static sockaddr* as_address(sockaddr_in& address) {
        return reinterpret_cast<sockaddr*>(&address);
    }

    // Returns its port, by which it is known again.
    int come(unsigned host, std::string_view says = {}) {
        auto& guest = guests_.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        auto from = loopback(host);
        EXPECT_EQ(::bind(guest.get(), as_address(from), sizeof from), 0);
        EXPECT_EQ(::connect(guest.get(), as_address(address_), sizeof address_), 0);
        EXPECT_EQ(::send(guest.get(), says.data(), says.size(), 0), std::ssize(says));
        socklen_t size = sizeof from;
        EXPECT_EQ(::getsockname(guest.get(), as_address(from), &size), 0);
        return from.sin_port;
    }
    void reset_last() {
        const linger hard{1, 0};
        ::setsockopt(guests_.back().get(), SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        guests_.pop_back();
    }

    int next() {
        const auto guest = newcomers_.next();
        if (!guest) return 0;
        sockaddr_in peer{};
        socklen_t size = sizeof peer;
        EXPECT_EQ(::getpeername(guest.get(), as_address(peer), &size), 0);
        return peer.sin_port;
    }
    void take(std::size_t most = 100) { EXPECT_FALSE(newcomers_.take(listening_.get(), most)); }

    Descriptor listening_;
    sockaddr_in address_{};
    std::vector<Descriptor> guests_;
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
    EXPECT_LE(::recv(guests_[0].get(), &byte, 1, 0), 0);
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
