#include "referee/net/loop/life.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>

namespace referee::loop {
namespace {

// Counts what it is called with, as long as it lives.
class Counter {
 public:
    explicit Counter(int& count) : count_(count) {}
    std::function<void(int)> call() {
        return life_.while_it_lasts([this](int amount) { count_ += amount; });
    }
    auto watch() const { return life_.watch(); }

 private:
    int& count_;
    Life life_;
};

TEST(Life, CallsWhileTheObjectStandsAndNoMore) {
    int count = 0;
    std::optional<Counter> counter(count);
    const auto call = counter->call();
    const auto copy = call;
    call(2);
    copy(3);
    EXPECT_EQ(count, 5);
    counter.reset();
    call(7);
    copy(7);
    EXPECT_EQ(count, 5);
}

TEST(Life, AnotherObjectInTheSamePlaceIsAnotherLife) {
    int first = 0;
    int second = 0;
    std::optional<Counter> counter(first);
    const auto call = counter->call();
    counter.emplace(second);
    call(1);
    EXPECT_EQ(first, 0);
    EXPECT_EQ(second, 0);
}

TEST(Life, AnObjectMayEndInItsOwnCall) {
    struct Ending {
        std::function<void()> end;
        Life life;
    };
    auto ending = std::make_unique<Ending>();
    int calls = 0;
    ending->end = [&] {
        ++calls;
        ending.reset();
    };
    const auto call = ending->life.while_it_lasts([end = ending->end] { end(); });
    auto again = call;
    again();
    again();
    EXPECT_EQ(calls, 1);
}

TEST(Life, ACoroutineSeesTheEnd) {
    int count = 0;
    std::optional<Counter> counter(count);
    const auto lasts = counter->watch();
    EXPECT_TRUE(lasts());
    counter.reset();
    EXPECT_FALSE(lasts());
}

TEST(Life, WhatIsHandedOverIsMovedOn) {
    const Life life;
    int got = 0;
    auto call = life.while_it_lasts([&](std::unique_ptr<int> number) { got = *number; });
    call(std::make_unique<int>(4));
    EXPECT_EQ(got, 4);
}

}  // namespace
}  // namespace referee::loop
