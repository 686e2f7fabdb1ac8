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

namespace referee::net {
namespace {

using namespace std::chrono_literals;
using boost::asio::ip::tcp;
using runtime::monotonic_now;

// Both ends of a connection on the loopback: what one sends has come to the other when it left.
struct Ends {
    Ends() {
        tcp::acceptor acceptor(loop, {boost::asio::ip::address_v4::loopback(), 0});
        tcp::socket dialled(loop);
        dialled.connect(acceptor.local_endpoint());
        bot = std::make_unique<TcpTransport>(std::move(dialled));
        referee = std::make_unique<TcpTransport>(acceptor.accept());
    }
    boost::asio::io_context loop{1};
    std::unique_ptr<TcpTransport> bot;
    std::unique_ptr<TcpTransport> referee;
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
    Ends ends;
    std::array<char, 256> room{};
    for (int i = 0; i < 60; ++i) {
        ends.referee->write("turn\n");
        ends.bot->read(room);
        std::this_thread::sleep_for(15ms);
        ends.referee->read(room);  // the loop, woken for a stamp
        ends.bot->write("move\n");
        ends.referee->read(room);
        ends.referee->read(room);
    }
    const auto path = ends.referee->path(monotonic_now());
    EXPECT_LT(path.least, 5ms);
    EXPECT_LT(path.most - path.least, 10ms) << "15 ms of thought were taken for the way's jitter";
    std::cout << "path: " << in_us(path.least) << " to " << in_us(path.most) << " us\n";
}

}  // namespace
}  // namespace referee::net
