#include "referee/net/loop/earliest_look.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <functional>
#include <string>
#include <vector>

namespace referee::loop {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

Instant at(Duration since) {
    return Instant{} + since;
}

class HandDrivenTimers final : public Timers {
 public:
    Instant now() const override { return now_; }
    using Timers::earliest;
    using Timers::empty;

    void goes_to(Duration since) {
        now_ = at(since);
        run_due();
    }
    std::vector<Instant> woken;

 private:
    void wake_at(Instant instant) override { woken.push_back(instant); }
    Instant now_{};
};

class TimersTest : public testing::Test {
 protected:
    Timers::Id note(Duration since, const std::string& name) {
        return timers.schedule(at(since), [this, name] { ran.push_back(name); });
    }
    HandDrivenTimers timers;
    std::vector<std::string> ran;
};

TEST_F(TimersTest, ByInstantThenByOrderOfAsking) {
    note(3s, "c");
    note(1s, "a1");
    note(2s, "b");
    note(1s, "a2");
    note(1s, "a3");
    timers.goes_to(999ms);
    EXPECT_THAT(ran, IsEmpty());
    timers.goes_to(2s);
    EXPECT_THAT(ran, ElementsAre("a1", "a2", "a3", "b"));
    timers.goes_to(10s);
    EXPECT_THAT(ran, ElementsAre("a1", "a2", "a3", "b", "c"));
    EXPECT_TRUE(timers.empty());
    timers.goes_to(20s);
    EXPECT_THAT(ran, testing::SizeIs(5)) << "each once";
}

TEST_F(TimersTest, WakesForWhatIsEarlierThanAllElse) {
    const auto id = note(3s, "c");
    note(4s, "d");
    note(1s, "a");
    note(1s, "a again");
    EXPECT_THAT(timers.woken, ElementsAre(at(3s), at(1s)));
    EXPECT_EQ(timers.earliest(), at(1s));
    timers.goes_to(1s);
    EXPECT_EQ(timers.earliest(), at(3s));
    timers.cancel(id);
    EXPECT_EQ(timers.earliest(), at(4s));
}

TEST_F(TimersTest, CancelledIsNotRun) {
    const auto first = note(1s, "first");
    const auto second = note(1s, "second");
    note(1s, "third");
    EXPECT_NE(first, 0U);
    EXPECT_NE(first, second);
    timers.cancel(second);
    timers.cancel(second);
    timers.cancel(0);
    timers.cancel(4711);
    timers.goes_to(1s);
    EXPECT_THAT(ran, ElementsAre("first", "third"));
    timers.cancel(first);
    EXPECT_TRUE(timers.empty());
}

TEST_F(TimersTest, AnOldIdIsNobodysAnyMore) {
    const auto cancelled = note(1s, "cancelled");
    timers.cancel(cancelled);
    const auto second = note(2s, "second");
    timers.cancel(cancelled);
    timers.goes_to(2s);
    note(3s, "third");
    timers.cancel(second);
    timers.goes_to(3s);
    EXPECT_THAT(ran, ElementsAre("second", "third"));
}

TEST_F(TimersTest, CancelInsideACallback) {
    Timers::Id other = 0;
    Timers::Id self = 0;
    self = timers.schedule(at(1s), [&] {
        ran.emplace_back("cancels");
        timers.cancel(other);
        timers.cancel(self);
    });
    other = note(1s, "cancelled");
    note(1s, "stays");
    timers.goes_to(1s);
    EXPECT_THAT(ran, ElementsAre("cancels", "stays"));
    EXPECT_TRUE(timers.empty());
}

TEST_F(TimersTest, ScheduleInsideACallbackForNow) {
    timers.schedule(at(1s), [this] {
        ran.emplace_back("first");
        note(1s, "added");
        note(500ms, "added for earlier");
        note(2s, "added for later");
    });
    note(1s, "second");
    timers.goes_to(1s);
    EXPECT_THAT(ran, ElementsAre("first", "added for earlier", "second", "added"));
    EXPECT_EQ(timers.earliest(), at(2s));
}

TEST_F(TimersTest, WhatFollowsFromADueCallWaitsForAllThatAreDue) {
    Timers::Id taken_back = 0;
    const auto judge = [&](Duration since, const std::string& name) {
        timers.schedule(at(since), [this, name] {
            ran.push_back("judges " + name);
            timers.afterwards([this, name] {
                ran.push_back("sends " + name);
                if (name == "a") note(3s, "became due while a was sent");
            });
        });
    };
    judge(1s, "a");
    judge(1s, "b");
    timers.schedule(at(2s), [&] {
        taken_back = timers.afterwards([this] { ran.emplace_back("taken back"); });
    });
    judge(3s, "c");
    timers.schedule(at(3s), [&] { timers.cancel(taken_back); });
    judge(4s, "later");
    timers.goes_to(3s);
    EXPECT_THAT(ran, ElementsAre("judges a", "judges b", "judges c", "sends a",
                                 "became due while a was sent", "sends b", "sends c"));
    ran.clear();
    timers.goes_to(4s);
    EXPECT_THAT(ran, ElementsAre("judges later", "sends later"));
    EXPECT_TRUE(timers.empty());
}

TEST_F(TimersTest, ManyCancelledLeaveTheOthersInOrder) {
    constexpr int count = 20'000;
    constexpr int kept_each = 100;
    std::vector<Timers::Id> ids;
    std::vector<int> order;
    std::vector<std::pair<Instant, int>> expected;
    for (int i = 0; i < count; ++i) {
        const auto when = at(std::chrono::milliseconds(i * 7919 % 1000));
        ids.push_back(timers.schedule(when, [&order, i] { order.push_back(i); }));
        if (i % kept_each == 0) expected.emplace_back(when, i);
    }
    for (int i = 0; i < count; ++i) {
        if (i % kept_each != 0) timers.cancel(ids[static_cast<std::size_t>(i)]);
    }
    std::sort(expected.begin(), expected.end());
    timers.goes_to(1s);
    ASSERT_EQ(order.size(), expected.size());
    for (std::size_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], expected[i].second) << i;
}

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
            timers.afterwards([&] {
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
        timers.afterwards([&] {
            if (!handled) timers.schedule(timers.now(), beget);
        });
    };
    timers.schedule(timers.now(), beget);
    boost::asio::post(loop, [&] { handled = true; });
    timers.run(loop);
    EXPECT_TRUE(handled);
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

TEST(EarliestLookTest, KeepsTheEarliestTime) {
    HandDrivenTimers timers;
    int looked = 0;
    EarliestLook looks(timers, [&looked] { ++looked; });
    looks.wake_by(Instant{5s});
    looks.wake_by(Instant{9s});
    looks.wake_by(Instant{2s});
    timers.goes_to(2s);
    EXPECT_EQ(looked, 1);
    timers.goes_to(10s);
    EXPECT_EQ(looked, 1) << "whoever still waits asks again";
    looks.wake_by(Instant{12s});
    looks.cancel();
    timers.goes_to(20s);
    EXPECT_EQ(looked, 1);
}

TEST(EarliestLookTest, IsHeldOffUntilTheLastHoldEnds) {
    HandDrivenTimers timers;
    EarliestLook looks(timers, [] {});
    EXPECT_FALSE(looks.held());
    {
        const EarliestLook::Hold outer(looks);
        { const EarliestLook::Hold inner(looks); }
        EXPECT_TRUE(looks.held());
    }
    EXPECT_FALSE(looks.held());
}

}  // namespace
}  // namespace referee::loop
