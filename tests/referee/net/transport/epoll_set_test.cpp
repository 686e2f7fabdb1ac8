#include "referee/net/transport/epoll_set.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <string>
#include <vector>

#include "referee/files/file.h"
#include "referee/net/loop/timers.h"

namespace referee::transport {
namespace {

namespace asio = boost::asio;

// Two ends of a stream: what is written to `far` is read from `near`.
struct StreamEnds {
    files::Descriptor near;
    files::Descriptor far;

    StreamEnds() {
        std::array<int, 2> made{};
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, made.data()), 0);
        near.reset(made[0]);
        far.reset(made[1]);
    }
    void send(const std::string& text) const {
        ASSERT_EQ(::write(far.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }
    std::string take() const {
        std::array<char, 100> room{};
        const auto got = ::read(near.get(), room.data(), room.size());
        return got <= 0 ? std::string() : std::string(room.data(), static_cast<std::size_t>(got));
    }
};

class EpollSetTest : public testing::Test {
 protected:
    // Waits for the descriptor's news in a coroutine; counts the waits that are over.
    asio::awaitable<void> wait(WatchedDescriptor& watched) {
        co_await watched.readable();
        ++over_;
    }
    asio::awaitable<void> wait_for_room(WatchedDescriptor& watched) {
        co_await watched.writable();
        ++over_;
    }
    void begin(WatchedDescriptor& watched) { asio::co_spawn(loop_, wait(watched), asio::detached); }
    void begin() { begin(watched_); }
    // What can go on goes on. How many waits that ended since the last call.
    int passed() {
        loop_.restart();
        loop_.poll();
        return std::exchange(over_, 0);
    }

    asio::io_context loop_{1};
    StreamEnds ends_;
    WatchedDescriptor watched_{loop_.get_executor(), ends_.near.get()};
    int over_ = 0;
};

TEST_F(EpollSetTest, TellsOfNewsBeforeAndDuringAWait) {
    begin();
    EXPECT_EQ(passed(), 0);
    ends_.send("a");
    EXPECT_EQ(passed(), 1);
    EXPECT_EQ(ends_.take(), "a");
    watched_.took_all();
    ends_.send("b");
    EXPECT_EQ(passed(), 0);  // nobody waits
    begin();
    EXPECT_EQ(passed(), 1);
}

TEST_F(EpollSetTest, WhatFollowsWaitsForAllThatCameAtOnce) {
    loop::SystemTimers timers(loop_.get_executor());
    StreamEnds other;
    WatchedDescriptor second{loop_.get_executor(), other.near.get()};
    std::string order;
    const auto hear = [&](WatchedDescriptor& watched) -> asio::awaitable<void> {
        co_await watched.readable();
        order += "heard ";
        timers.afterwards([&] { order += "answered "; });
    };
    asio::co_spawn(loop_, hear(watched_), asio::detached);
    asio::co_spawn(loop_, hear(second), asio::detached);
    ends_.send("a");
    other.send("b");
    timers.run(loop_);
    EXPECT_EQ(order, "heard heard answered answered ");
}

TEST_F(EpollSetTest, WhatIsLeftUnreadIsToldAgain) {
    ends_.send("several");
    for (int i = 0; i < 3; ++i) {
        begin();
        EXPECT_EQ(passed(), 1);
    }
    ends_.take();
    watched_.took_all();
    begin();
    EXPECT_EQ(passed(), 0);
}

TEST_F(EpollSetTest, TheEndThatCameWithTheLastBytesIsTold) {
    watched_.emptied();
    begin();
    ends_.send("last");
    ends_.far.reset();
    EXPECT_EQ(passed(), 1);
    EXPECT_EQ(ends_.take(), "last");
    watched_.took_all();
    begin();
    EXPECT_EQ(passed(), 1);
    EXPECT_EQ(ends_.take(), "");
}

// A read stops at an urgent byte, so what is behind it is there still.
TEST_F(EpollSetTest, WhatIsBehindAnUrgentByteIsTold) {
    asio::ip::tcp::acceptor acceptor(loop_, {asio::ip::address_v4::loopback(), 0});
    asio::ip::tcp::socket far(loop_);
    far.connect(acceptor.local_endpoint());
    boost::system::error_code error;
    auto accepted = acceptor.accept();
    StreamEnds ends;
    ends.near.reset(accepted.release(error));
    WatchedDescriptor watched(loop_.get_executor(), ends.near.get());
    watched.emptied();
    begin(watched);
    EXPECT_EQ(passed(), 0);
    asio::write(far, asio::buffer("first", 5));
    far.send(asio::buffer("!", 1), asio::socket_base::message_out_of_band);
    asio::write(far, asio::buffer("second", 6));
    EXPECT_EQ(passed(), 1);
    EXPECT_EQ(ends.take(), "first");
    watched.took_all();
    begin(watched);
    EXPECT_EQ(passed(), 1);
    EXPECT_EQ(ends.take(), "second");
}

TEST_F(EpollSetTest, TellsWhenThereIsRoomToWrite) {
    WatchedDescriptor watched(loop_.get_executor(), ends_.far.get());
    const std::string much(1 << 20, 'x');
    while (::write(ends_.far.get(), much.data(), much.size()) > 0) {
    }
    asio::co_spawn(loop_, wait_for_room(watched), asio::detached);
    EXPECT_EQ(passed(), 0);
    std::vector<char> room(2 << 20);
    while (::read(ends_.near.get(), room.data(), room.size()) > 0) {
    }
    EXPECT_EQ(passed(), 1);
}

TEST_F(EpollSetTest, ClosingEndsTheWaitAndThenTheLoop) {
    watched_.emptied();
    begin();
    EXPECT_EQ(passed(), 0);
    EXPECT_FALSE(loop_.stopped());
    watched_.close();
    watched_.close();
    loop_.run();  // would wait for ever where somebody still waits
    EXPECT_EQ(over_, 1);
    begin();
    EXPECT_EQ(passed(), 2);
}

TEST_F(EpollSetTest, TellsOfMoreThanOneCallTakes) {
    constexpr std::size_t many = 700;
    std::vector<StreamEnds> ends(many);
    std::vector<std::unique_ptr<WatchedDescriptor>> all;
    for (const auto& one : ends) {
        all.push_back(std::make_unique<WatchedDescriptor>(loop_.get_executor(), one.near.get()));
        all.back()->emptied();
        begin(*all.back());
    }
    EXPECT_EQ(passed(), 0);
    for (const auto& one : ends) one.send("x");
    loop_.restart();
    for (int before = 0; loop_.poll_one() > 0; before = over_)
        EXPECT_LE(over_, before + 1) << "others have their turn between two of them";
    EXPECT_EQ(over_, static_cast<int>(many));
}

TEST_F(EpollSetTest, AFileIsAlwaysReady) {
    const files::Descriptor file(::open("/proc/self/status", O_RDONLY | O_CLOEXEC));
    WatchedDescriptor watched(loop_.get_executor(), file.get());
    watched.emptied();
    begin(watched);
    EXPECT_EQ(passed(), 1);
}

// As a session does: the coroutine that waits keeps what it waits for alive.
TEST_F(EpollSetTest, ALoopThatEndsLeavesNoWaiterBehind) {
    struct Guest {
        StreamEnds ends;
        std::unique_ptr<WatchedDescriptor> watched;
    };
    std::weak_ptr<Guest> seen;
    {
        asio::io_context loop{1};
        auto guest = std::make_shared<Guest>();
        guest->watched =
            std::make_unique<WatchedDescriptor>(loop.get_executor(), guest->ends.near.get());
        guest->watched->emptied();
        seen = guest;
        asio::co_spawn(
            loop,
            [](std::shared_ptr<Guest> kept) -> asio::awaitable<void> {
                co_await kept->watched->readable();
            }(std::move(guest)),
            asio::detached);
        loop.poll();
        EXPECT_FALSE(seen.expired());
    }
    EXPECT_TRUE(seen.expired());
}

}  // namespace
}  // namespace referee::transport
