#include "referee/net/loop/background.h"

#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "referee/net/loop/mutex.h"

namespace referee::loop {
namespace {

class LoopInboxTest : public testing::Test {
 protected:
    boost::asio::io_context loop{1};
    std::optional<LoopInbox> inbox{loop.get_executor()};
};

TEST_F(LoopInboxTest, CallsOfAnotherThreadRunOnTheLoopInTheirOrder) {
    constexpr int calls = 10'000;
    std::vector<int> ran;
    const auto here = std::this_thread::get_id();
    std::thread other([&] {
        for (int i = 0; i < calls; ++i) {
            inbox->post([&, i] {
                EXPECT_EQ(std::this_thread::get_id(), here);
                ran.push_back(i);
            });
        }
    });
    while (ran.size() < calls) loop.run_one();
    other.join();
    for (int i = 0; i < calls; ++i) ASSERT_EQ(ran[static_cast<std::size_t>(i)], i);
}

TEST_F(LoopInboxTest, EachCallIsAHandlerOfItsOwn) {
    int ran = 0;
    for (int i = 0; i < 3; ++i) inbox->post([&ran] { ++ran; });
    loop.run_one();  // hears the bell
    for (int i = 1; i <= 3; ++i) {
        loop.run_one();
        EXPECT_EQ(ran, i);
    }
}

TEST_F(LoopInboxTest, WhatWasPostedRunsAfterTheInboxHasEnded) {
    bool ran = false;
    std::thread([&] { inbox->post([&ran] { ran = true; }); }).join();
    inbox.reset();
    EXPECT_FALSE(ran) << "the loop has not gone on";
    loop.run();  // and nothing keeps it
    EXPECT_TRUE(ran);
}

TEST_F(LoopInboxTest, ACallMayPostTheNext) {
    int left = 100;
    std::function<void()> next = [&] {
        if (--left > 0) inbox->post(next);
    };
    inbox->post(next);
    while (left > 0) loop.run_one();
    EXPECT_EQ(left, 0);
}

TEST(ConditionTest, WaitsUntilItIsReadyOrTheTimeIsOver) {
    Mutex mutex;
    Condition changed;
    bool ready = false;
    Lock lock(mutex);
    changed.wait_for(lock, std::chrono::milliseconds(1), [&] { return ready; });
    EXPECT_FALSE(ready) << "nobody came";
    std::thread other([&] {
        const Lock guard(mutex);
        ready = true;
        changed.notify_one();
    });
    changed.wait(lock, [&] { return ready; });
    EXPECT_TRUE(ready);
    lock.unlock();
    other.join();
}

class BackgroundThreadTest : public testing::Test {
 protected:
    template <typename Condition>
    void run_until(Condition condition) {
        const auto busy = boost::asio::make_work_guard(loop);
        while (!condition()) loop.run_one();
    }
    boost::asio::io_context loop;
    std::optional<BackgroundThread> beside{loop.get_executor()};
};

TEST_F(BackgroundThreadTest, WorksBesideTheLoopAndTellsItThere) {
    const auto here = std::this_thread::get_id();
    std::thread::id worked;
    std::thread::id told;
    beside->run([&] { worked = std::this_thread::get_id(); },
                [&] { told = std::this_thread::get_id(); });
    run_until([&] { return told != std::thread::id(); });
    EXPECT_NE(worked, here);
    EXPECT_EQ(told, here);
}

TEST_F(BackgroundThreadTest, DoesOnePieceAfterTheOther) {
    // Not guarded: pieces that ran side by side would be a race, and would mix the order.
    std::vector<int> done;
    constexpr int pieces = 100;
    int told = 0;
    for (int i = 0; i < pieces; ++i) {
        beside->run([&done, i] { done.push_back(i); }, [&told, i] { EXPECT_EQ(told++, i); });
    }
    run_until([&] { return told == pieces; });
    ASSERT_EQ(done.size(), static_cast<std::size_t>(pieces));
    for (int i = 0; i < pieces; ++i) EXPECT_EQ(done[static_cast<std::size_t>(i)], i);
}

TEST_F(BackgroundThreadTest, HasLetGoOfTheWorkWhenTheLoopHears) {
    // What the work holds is destroyed on the other thread, however long that takes.
    const auto gone = std::make_shared<bool>(false);
    std::shared_ptr<void> held(nullptr, [gone](void*) {
        // time: slow by design, so that the loop would hear too early
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        *gone = true;
    });
    bool told = false;
    bool gone_when_told = false;
    beside->run([held = std::move(held)] {},
                [&] {
                    gone_when_told = *gone;
                    told = true;
                });
    run_until([&] { return told; });
    EXPECT_TRUE(gone_when_told);
}

TEST_F(BackgroundThreadTest, WaitsForItsPieceAndDropsTheOthersWhenItEnds) {
    bool finished = false;
    bool second = false;
    bool told = false;
    std::promise<void> begun;
    beside->run(
        [&] {
            begun.set_value();
            // time: slow by design, so that it isn't done when the other thread is ended
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            finished = true;
        },
        [&] { told = true; });
    beside->run([&] { second = true; }, [] { FAIL() << "it was dropped"; });
    begun.get_future().wait();
    beside.reset();
    EXPECT_TRUE(finished);
    EXPECT_FALSE(second);
    EXPECT_FALSE(told) << "only the loop tells";
    loop.run();
    EXPECT_TRUE(told);
}

}  // namespace
}  // namespace referee::loop
