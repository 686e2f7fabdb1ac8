// calm: a send is interrupted within the microseconds that it takes

#include <gtest/gtest.h>
#include <sys/time.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <iostream>
#include <thread>

#include "referee/net/loop/timers.h"
#include "tests/referee/net/transport/both_ends.h"

namespace referee::transport {
namespace {

using namespace std::chrono_literals;
using loop::monotonic_now;

constexpr auto interruption = 2ms;

// When the last interruption began.
std::atomic<Instant::rep> interrupted_at{0};

// Takes the processor away, as another process would.
void interrupt(int /*signal*/) {
    interrupted_at = monotonic_now().time_since_epoch().count();
    timespec rest{0, std::chrono::nanoseconds(interruption).count()};
    nanosleep(&rest, nullptr);
}

// Interrupts this thread once, so soon.
void interrupt_after(std::chrono::microseconds time) {
    const itimerval timer{{0, 0}, {0, time.count()}};
    setitimer(ITIMER_REAL, &timer, nullptr);
}

TEST(CalmSending, a_send_that_is_interrupted_is_not_told_too_late) {
    constexpr int sends_max = 2000;
    constexpr int interrupted_enough = 20;
    constexpr auto between_sends = 6ms;
    // Where the interruption is aimed: it follows the call, which a build with sanitizers reaches
    // later than another one, and swings to both sides, as the call takes some microseconds.
    std::chrono::microseconds aim{1};
    constexpr int swing = 3;
    constexpr Duration reading_error = 200us;
    Ends ends;
    std::array<char, 256> room{};
    int interrupted = 0;
    int exact = 0;
    std::signal(SIGALRM, interrupt);
    for (int i = 0; i < sends_max && interrupted < interrupted_enough; ++i) {
        std::this_thread::sleep_for(between_sends);
        interrupted_at = 0;
        interrupt_after(aim + std::chrono::microseconds(i % swing));
        const auto before = monotonic_now();
        const auto write = ends.referee->write("turn\n");
        const auto after = monotonic_now();
        ASSERT_EQ(write.bytes, 5U);
        const auto came = ends.bot->read(room);
        ASSERT_EQ(came.bytes, 5U);
        EXPECT_LE(write.stamp.earliest, came.stamp.latest + reading_error);
        EXPECT_GE(write.stamp.latest, came.stamp.latest - reading_error);
        // The loop, woken for the stamps.
        EXPECT_TRUE(ends.referee->read(room).status == transport::Transport::Status::would_block);
        if (after - before < interruption / 2) {
            const auto began = interrupted_at.load();
            const bool too_early = began != 0 && began < before.time_since_epoch().count();
            aim = too_early ? aim + 1us : std::max(aim - 1us, std::chrono::microseconds{1});
            continue;
        }
        ++interrupted;
        if (write.stamp.width() < reading_error) ++exact;
    }
    std::signal(SIGALRM, SIG_DFL);
    std::cout << interrupted << " sends were interrupted, of " << exact
              << " the kernel told the moment\n";
    EXPECT_EQ(interrupted, interrupted_enough);
    EXPECT_GE(exact, interrupted / 2);
}

}  // namespace
}  // namespace referee::transport
