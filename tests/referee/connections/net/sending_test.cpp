#include <gtest/gtest.h>
#include <sys/time.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <csignal>
#include <string>
#include <thread>

#include "referee/connections/net/tcp_transport.h"
#include "referee/connections/runtime/system_timers.h"
#include "tests/referee/connections/net/stamping.h"

namespace referee::net {
namespace {

using namespace std::chrono_literals;
using boost::asio::ip::tcp;
using runtime::monotonic_now;

// Both ends of a connection on the loopback: what one sends has come to the other when it left.
struct Sockets {
    Sockets() {
        await_stamping();
        tcp::acceptor acceptor(loop, {boost::asio::ip::address_v4::loopback(), 0});
        bot.connect(acceptor.local_endpoint());
        bot.set_option(tcp::no_delay(true));
        referee = acceptor.accept();
    }
    boost::asio::io_context loop{1};
    tcp::socket bot{loop};
    tcp::socket referee{loop};
};
struct Ends : Sockets {
    std::unique_ptr<TcpTransport> bot = std::make_unique<TcpTransport>(std::move(Sockets::bot));
    std::unique_ptr<TcpTransport> referee =
        std::make_unique<TcpTransport>(std::move(Sockets::referee));
};

constexpr auto interruption = 2ms;

// Takes the processor away, as another process would.
void interrupt(int /*signal*/) {
    timespec rest{0, std::chrono::nanoseconds(interruption).count()};
    nanosleep(&rest, nullptr);
}

// Interrupts this thread once, so soon.
void interrupt_after(std::chrono::microseconds time) {
    const itimerval timer{{0, 0}, {0, time.count()}};
    setitimer(ITIMER_REAL, &timer, nullptr);
}

TEST(Sending, a_send_that_is_interrupted_is_not_told_too_late) {
    constexpr int sends_max = 2000;
    constexpr int interrupted_enough = 20;
    constexpr auto between_sends = 6ms;
    constexpr int moments = 12;  // the call takes some microseconds
    constexpr Duration reading_error = 200us;
    Ends ends;
    std::array<char, 256> room{};
    int interrupted = 0;
    int exact = 0;
    std::signal(SIGALRM, interrupt);
    for (int i = 0; i < sends_max && interrupted < interrupted_enough; ++i) {
        std::this_thread::sleep_for(between_sends);
        interrupt_after(std::chrono::microseconds(1 + i % moments));
        const auto before = monotonic_now();
        const auto write = ends.referee->write("turn\n");
        const auto after = monotonic_now();
        ASSERT_EQ(write.bytes, 5U);
        const auto came = ends.bot->read(room);
        ASSERT_EQ(came.bytes, 5U);
        EXPECT_LE(write.stamp.earliest, came.stamp.latest + reading_error);
        EXPECT_GE(write.stamp.latest, came.stamp.latest - reading_error);
        // The loop, woken for the stamps.
        EXPECT_TRUE(ends.referee->read(room).status == runtime::Transport::Status::would_block);
        if (after - before < interruption / 2) continue;
        ++interrupted;
        if (write.stamp.width() < reading_error) ++exact;
    }
    std::signal(SIGALRM, SIG_DFL);
    std::cout << interrupted << " sends were interrupted, of " << exact
              << " the kernel told the moment\n";
    EXPECT_EQ(interrupted, interrupted_enough);
    EXPECT_GE(exact, interrupted / 2);
}

// What wakes up whoever waits for the socket has to be taken, or it wakes him for ever.
TEST(Sending, stamps_that_come_back_do_not_keep_the_loop_awake) {
    Ends ends;
    std::array<char, 256> room{};
    int wakes = 0;
    boost::asio::co_spawn(
        ends.loop,
        [](TcpTransport& referee, std::span<char> bytes,
           int& count) -> boost::asio::awaitable<void> {
            for (;;) {
                co_await referee.readable();
                if (referee.read(bytes).status == runtime::Transport::Status::closed) co_return;
                ++count;
            }
        }(*ends.referee, room, wakes),
        boost::asio::detached);
    ends.loop.run_for(10ms);
    constexpr int sends = 10;
    for (int i = 0; i < sends; ++i) {
        ends.referee->write("turn\n");
        ends.loop.run_for(10ms);
    }
    EXPECT_LE(wakes, 3 * sends);
    std::cout << wakes << " wakes for " << sends << " sends that were stamped\n";
    ends.referee->close();
    ends.loop.run_for(10ms);
}

// A bot that answers before its kernel acknowledges: the acknowledgement comes with the answer.
TEST(Sending, acknowledgements_that_come_along_with_an_answer_tell_nothing_of_the_way) {
    Sockets sockets;
    const auto bot = sockets.bot.native_handle();
    const auto referee = sockets.referee.native_handle();
    StampedWriter writer(referee);
    StampedReader reader(referee);
    std::array<char, 256> room{};
    for (int i = 0; i < 60; ++i) {
        writer.write(referee, "turn\n");
        ASSERT_GT(recv(bot, room.data(), room.size(), 0), 0);
        std::this_thread::sleep_for(15ms);
        writer.collect(referee);
        ASSERT_GT(send(bot, "move\n", 5, 0), 0);
        const auto read = reader.read(referee, room);
        ASSERT_EQ(read.bytes, 5U);
        writer.heard(read.stamp.latest);
        writer.collect(referee);
    }
    const auto path = writer.path(referee, monotonic_now());
    EXPECT_LT(path.least, 5ms);
    EXPECT_LT(path.most - path.least, 10ms) << "15 ms of thought were taken for the way's jitter";
    std::cout << "path: " << in_us(path.least) << " to " << in_us(path.most) << " us\n";
}

// A program that reads a little late has its acknowledgements sent then. On a line that would look
// like jitter; within one machine it can only be the program.
TEST(Sending, within_one_machine_late_readers_have_no_jitter) {
    constexpr int turns = 24;
    Ends ends;
    std::array<char, 256> room{};
    Duration seen{};
    for (int i = 0; i < turns; ++i) {
        ends.referee->write("turn\n");
        std::this_thread::sleep_for(2ms);
        ends.bot->read(room);
        std::this_thread::sleep_for(4ms);
        ends.referee->read(room);  // the loop, woken for a stamp
        ends.bot->write("move\n");
        ends.referee->read(room);
        ends.referee->read(room);
        const auto path = ends.referee->path(monotonic_now());
        seen = std::max(seen, path.most - path.least);
    }
    EXPECT_TRUE(ends.referee->from_this_machine());
    EXPECT_EQ(seen, Duration::zero());
}

}  // namespace
}  // namespace referee::net
