#include "referee/net/loop/background_thread.h"

#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace referee::loop {
namespace {

template <typename Condition>
void run_until(boost::asio::io_context& loop, Condition condition) {
    const auto busy = boost::asio::make_work_guard(loop);
    while (!condition()) loop.run_one();
}

TEST(BackgroundThread, WorksBesideTheLoopAndTellsItThere) {
    boost::asio::io_context loop;
    BackgroundThread beside(loop.get_executor());
    const auto here = std::this_thread::get_id();
    std::thread::id worked;
    std::thread::id told;
    beside.run([&] { worked = std::this_thread::get_id(); },
               [&] { told = std::this_thread::get_id(); });
    run_until(loop, [&] { return told != std::thread::id(); });
    EXPECT_NE(worked, here);
    EXPECT_EQ(told, here);
}

TEST(BackgroundThread, DoesOnePieceAfterTheOther) {
    boost::asio::io_context loop;
    BackgroundThread beside(loop.get_executor());
    // Not guarded: pieces that ran side by side would be a race, and would mix the order.
    std::vector<int> done;
    constexpr int pieces = 100;
    int told = 0;
    for (int i = 0; i < pieces; ++i) {
        beside.run([&done, i] { done.push_back(i); }, [&told, i] { EXPECT_EQ(told++, i); });
    }
    run_until(loop, [&] { return told == pieces; });
    ASSERT_EQ(done.size(), static_cast<std::size_t>(pieces));
    for (int i = 0; i < pieces; ++i) EXPECT_EQ(done[static_cast<std::size_t>(i)], i);
}

TEST(BackgroundThread, HasLetGoOfTheWorkWhenTheLoopHears) {
    boost::asio::io_context loop;
    BackgroundThread beside(loop.get_executor());
    // What the work holds is destroyed on the other thread, however long that takes.
    const auto gone = std::make_shared<bool>(false);
    std::shared_ptr<void> held(nullptr, [gone](void*) {
        // time: slow by design, so that the loop would hear too early
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        *gone = true;
    });
    bool told = false;
    bool gone_when_told = false;
    beside.run([held = std::move(held)] {},
               [&] {
                   gone_when_told = *gone;
                   told = true;
               });
    run_until(loop, [&] { return told; });
    EXPECT_TRUE(gone_when_told);
}

TEST(BackgroundThread, WaitsForItsPieceAndDropsTheOthersWhenItEnds) {
    boost::asio::io_context loop;
    bool finished = false;
    bool second = false;
    bool told = false;
    {
        std::promise<void> begun;
        BackgroundThread beside(loop.get_executor());
        beside.run(
            [&] {
                begun.set_value();
                // time: slow by design, so that it isn't done when the other thread is ended
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
                finished = true;
            },
            [&] { told = true; });
        beside.run([&] { second = true; }, [] { FAIL() << "it was dropped"; });
        begun.get_future().wait();
    }
    EXPECT_TRUE(finished);
    EXPECT_FALSE(second);
    EXPECT_FALSE(told) << "only the loop tells";
    loop.run();
    EXPECT_TRUE(told);
}

}  // namespace
}  // namespace referee::loop
