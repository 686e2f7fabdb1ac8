#include "referee/runtime/timers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "referee/runtime/system_timers.h"

namespace referee::runtime {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

class HandTimers final : public Timers {
 public:
    Instant now() const override { return now_; }
    void wake_at(Instant at) override { woken.push_back(at.time_since_epoch()); }
    void advance(Duration by) {
        now_ += by;
        run_due();
    }
    using Timers::earliest;
    using Timers::empty;

    std::vector<Duration> woken;

 private:
    Instant now_{};
};

Instant at(Duration time) { return Instant(time); }

TEST(Timers, run_by_instant_and_then_by_request) {
    HandTimers timers;
    std::vector<int> ran;
    timers.schedule(at(2s), [&] { ran.push_back(3); });
    timers.schedule(at(1s), [&] { ran.push_back(1); });
    timers.schedule(at(1s), [&] { ran.push_back(2); });
    timers.schedule(at(3s), [&] { ran.push_back(4); });
    timers.advance(2s);
    EXPECT_THAT(ran, ElementsAre(1, 2, 3));
    timers.advance(1s);
    EXPECT_THAT(ran, ElementsAre(1, 2, 3, 4));
    EXPECT_TRUE(timers.empty());
}

TEST(Timers, wake_only_for_what_is_earlier) {
    HandTimers timers;
    timers.schedule(at(3s), [] {});
    timers.schedule(at(5s), [] {});
    timers.schedule(at(1s), [] {});
    EXPECT_THAT(timers.woken, ElementsAre(3s, 1s));
}

TEST(Timers, cancelled_ones_do_not_run) {
    HandTimers timers;
    int ran = 0;
    const auto first = timers.schedule(at(1s), [&] { ++ran; });
    const auto second = timers.schedule(at(2s), [&] { ++ran; });
    EXPECT_NE(first, 0U);
    timers.cancel(first);
    timers.cancel(first);
    timers.cancel(0);
    timers.cancel(12345);
    EXPECT_EQ(timers.earliest(), at(2s));
    timers.advance(5s);
    timers.cancel(second);  // done already
    EXPECT_EQ(ran, 1);
}

TEST(Timers, callbacks_may_add_and_cancel) {
    HandTimers timers;
    std::vector<int> ran;
    Timers::Id doomed = 0;
    timers.schedule(at(1s), [&] {
        ran.push_back(1);
        timers.cancel(doomed);
        timers.schedule(at(0s), [&] { ran.push_back(2); });  // due at once
        timers.schedule(at(9s), [&] { ran.push_back(9); });
    });
    doomed = timers.schedule(at(1s), [&] { ran.push_back(3); });
    timers.advance(1s);
    EXPECT_THAT(ran, ElementsAre(1, 2));
    EXPECT_EQ(timers.earliest(), at(9s));
}

// Deadlines are armed and dropped every turn: that must neither fill the memory nor slow things down.
TEST(Timers, many_cancelled_ones_leave_the_living_alone) {
    HandTimers timers;
    int ran = 0;
    for (int i = 0; i < 100; ++i) timers.schedule(at(std::chrono::seconds(1000 + i)), [&] { ++ran; });
    for (int i = 0; i < 1'000'000; ++i) timers.cancel(timers.schedule(at(5000s), [&] { ran += 1000; }));
    timers.advance(6000s);
    EXPECT_EQ(ran, 100);
    EXPECT_TRUE(timers.empty());
}

TEST(SystemTimers, run_on_the_loop) {
    boost::asio::io_context loop(1);
    SystemTimers timers(loop.get_executor());
    std::vector<int> ran;
    const auto start = timers.now();
    timers.schedule(start + 3ms, [&] { ran.push_back(2); });
    timers.schedule(start + 1ms, [&] { ran.push_back(1); });
    timers.cancel(timers.schedule(start + 2ms, [&] { ran.push_back(7); }));
    timers.schedule(start + 4ms, [&] { ran.push_back(3); });
    loop.run();
    EXPECT_THAT(ran, ElementsAre(1, 2, 3));
    EXPECT_GE(timers.now() - start, 4ms);
    EXPECT_GE(timers.take_worst_error(), 0ns);
    EXPECT_EQ(timers.take_worst_error(), 0ns);
}

}  // namespace
}  // namespace referee::runtime
