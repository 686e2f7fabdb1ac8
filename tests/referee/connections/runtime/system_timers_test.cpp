#include "referee/connections/runtime/system_timers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <string>
#include <vector>

namespace referee::runtime {
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

TEST_F(SystemTimersTest, NothingIsRunOnceTheLoopIsStopped) {
    const auto busy = boost::asio::make_work_guard(loop);
    boost::asio::post(loop, [this] {
        timers.schedule(timers.now(), [] { FAIL() << "the loop was stopped"; });
        loop.stop();
    });
    timers.run(loop);
}

}  // namespace
}  // namespace referee::runtime
