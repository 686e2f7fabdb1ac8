#include "referee/net/loop/system_timers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <functional>
#include <string>
#include <vector>

namespace referee::loop {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class SystemTimersTest : public testing::Test {
 protected:
    boost::asio::io_context loop{1};
    SystemTimers timers{loop.get_executor()};
    std::vector<std::string> ran;
};

TEST_F(SystemTimersTest, ADueCallWaitsForOneHandlerAtMost) {
    boost::asio::post(loop, [this] {
        ran.emplace_back("first handler");
        timers.schedule(timers.now(), [this] { ran.emplace_back("due"); });
    });
    boost::asio::post(loop, [this] { ran.emplace_back("second handler"); });
    boost::asio::post(loop, [this] { ran.emplace_back("third handler"); });
    timers.run(loop);
    EXPECT_THAT(ran, ElementsAre("first handler", "due", "second handler", "third handler"));
}

TEST_F(SystemTimersTest, WakesUpForEachCallAndEndsWhenNothingIsLeft) {
    const auto begin = timers.now();
    Instant last{};
    timers.schedule(begin + 2ms, [&] {
        ran.emplace_back("2 ms");
        timers.schedule(begin + 3ms, [&] {
            ran.emplace_back("3 ms");
            timers.after_due([&] {
                last = timers.now();
                timers.schedule(last + 1ms, [&] { ran.emplace_back("asked for behind it"); });
            });
        });
    });
    timers.cancel(timers.schedule(begin + 1ms, [this] { ran.emplace_back("cancelled"); }));
    timers.run(loop);
    EXPECT_THAT(ran, ElementsAre("2 ms", "3 ms", "asked for behind it"));
    EXPECT_GE(last - begin, 3ms) << "never too early";
    EXPECT_GE(timers.now() - last, 1ms);
}

TEST_F(SystemTimersTest, CallsThatBegetOthersKeepNoHandlerWaiting) {
    bool handled = false;
    std::function<void()> beget = [&] {
        timers.after_due([&] {
            if (!handled) timers.schedule(timers.now(), beget);
        });
    };
    timers.schedule(timers.now(), beget);
    boost::asio::post(loop, [&] { handled = true; });
    timers.run(loop);
    EXPECT_TRUE(handled);
}

TEST_F(SystemTimersTest, WhatIsDueGoesBeforeWhatFollowsFromIt) {
    for (const std::string name : {"a", "b"}) {
        timers.schedule(timers.now(), [this, name] {
            ran.push_back(name);
            timers.after_due([this, name] { ran.push_back("after " + name); });
        });
    }
    timers.run(loop);
    EXPECT_THAT(ran, ElementsAre("a", "b", "after a", "after b"));
}

// A loop sleeps until the earliest call that is left, however often that one changes.
TEST_F(SystemTimersTest, WakesUpForACallThatWasAskedForBeforeTheOthers) {
    const auto begin = timers.now();
    auto late = timers.schedule(begin + 1h, [] { FAIL() << "this one was cancelled"; });
    boost::asio::post(loop, [&] {
        timers.schedule(begin + 2ms, [&] {
            ran.emplace_back("2 ms");
            timers.cancel(late);
            late = timers.schedule(begin + 30min, [] { FAIL() << "this one was cancelled"; });
            timers.schedule(begin + 4ms, [&] {
                ran.emplace_back("4 ms");
                timers.cancel(late);
                loop.stop();
            });
        });
    });
    timers.run(loop);
    EXPECT_THAT(ran, ElementsAre("2 ms", "4 ms"));
}

TEST_F(SystemTimersTest, NothingIsRunOnceTheLoopIsStopped) {
    const auto busy = boost::asio::make_work_guard(loop);
    boost::asio::post(loop, [this] {
        timers.schedule(timers.now(), [] { FAIL() << "the loop was stopped"; });
        loop.stop();
    });
    timers.run(loop);
}

}  // namespace
}  // namespace referee::loop
