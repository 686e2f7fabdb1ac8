#include "referee/net/loop/loop_inbox.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <thread>
#include <vector>

#include "referee/net/loop/mutex.h"

namespace referee::loop {
namespace {

TEST(LoopInboxTest, CallsOfAnotherThreadRunOnTheLoopInTheirOrder) {
    constexpr int calls = 10'000;
    boost::asio::io_context loop{1};
    LoopInbox inbox(loop.get_executor());
    std::vector<int> ran;
    const auto here = std::this_thread::get_id();
    std::thread other([&] {
        for (int i = 0; i < calls; ++i) {
            inbox.post([&, i] {
                EXPECT_EQ(std::this_thread::get_id(), here);
                ran.push_back(i);
            });
        }
    });
    while (ran.size() < calls) loop.run_one();
    other.join();
    for (int i = 0; i < calls; ++i) ASSERT_EQ(ran[static_cast<std::size_t>(i)], i);
}

TEST(LoopInboxTest, EachCallIsAHandlerOfItsOwn) {
    boost::asio::io_context loop{1};
    LoopInbox inbox(loop.get_executor());
    int ran = 0;
    for (int i = 0; i < 3; ++i) inbox.post([&ran] { ++ran; });
    loop.run_one();  // hears the bell
    for (int i = 1; i <= 3; ++i) {
        loop.run_one();
        EXPECT_EQ(ran, i);
    }
}

TEST(LoopInboxTest, WhatWasPostedRunsAfterTheInboxHasEnded) {
    boost::asio::io_context loop{1};
    bool ran = false;
    {
        LoopInbox inbox(loop.get_executor());
        std::thread([&] { inbox.post([&ran] { ran = true; }); }).join();
    }
    EXPECT_FALSE(ran) << "the loop has not gone on";
    loop.run();  // and nothing keeps it
    EXPECT_TRUE(ran);
}

TEST(LoopInboxTest, ACallMayPostTheNext) {
    boost::asio::io_context loop{1};
    LoopInbox inbox(loop.get_executor());
    int left = 100;
    std::function<void()> next = [&] {
        if (--left > 0) inbox.post(next);
    };
    inbox.post(next);
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

}  // namespace
}  // namespace referee::loop
