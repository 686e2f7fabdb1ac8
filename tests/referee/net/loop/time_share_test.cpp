#include "referee/net/loop/time_share.h"

#include <gmock/gmock.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <string>
#include <vector>

#include "tests/sim/world.h"

namespace referee::loop {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using tests::sim::World;

class TimeShareTest : public ::testing::Test {
 protected:
    // A piece of work that takes so long; its name is noted when it is done.
    void ask(const std::string& account, Duration takes, const std::string& name) {
        boost::asio::co_spawn(world_.loop(), work(account, takes, name), boost::asio::detached);
        world_.pass(0ns);
    }
    boost::asio::awaitable<void> work(std::string account, Duration takes, std::string name) {
        const auto piece = co_await share_->turn(std::move(account));
        world_.spend(takes);
        done_.push_back(name);
    }

    World world_{1};
    std::unique_ptr<TimeShare> share_ = std::make_unique<TimeShare>(world_.referee(), 0.05, 10ms);
    std::vector<std::string> done_;
};

TEST_F(TimeShareTest, WhatWasNotTakenLatelyGoesAtOnceAndTheRestAtItsShare) {
    for (int i = 0; i < 100; ++i) ask("a", 1ms, std::to_string(i));
    EXPECT_GE(done_.size(), 10U);
    EXPECT_LE(done_.size(), 12U);
    const auto before = done_.size();
    world_.pass(1s);
    EXPECT_GE(done_.size() - before, 49U);
    EXPECT_LE(done_.size() - before, 51U);
}

TEST_F(TimeShareTest, WhoWaitsGoesOnWhenTheShareGrows) {
    for (int i = 0; i < 30; ++i) ask("a", 1ms, std::to_string(i));
    EXPECT_LE(done_.size(), 12U);
    share_->set_share(1);
    world_.pass(20ms);
    EXPECT_EQ(done_.size(), 30U);
}

TEST_F(TimeShareTest, WhoWasChargedLeastGoesFirst) {
    ask("greedy", 20ms, "all there was");
    ask("greedy", 1ms, "greedy 1");
    ask("greedy", 1ms, "greedy 2");
    ask("modest", 1ms, "modest 1");
    ask("modest", 1ms, "modest 2");
    world_.pass(1s);
    EXPECT_THAT(done_,
                ElementsAre("all there was", "modest 1", "modest 2", "greedy 1", "greedy 2"));
}

TEST_F(TimeShareTest, WhatIsGivenBackIsLeftForOthersAtOnce) {
    ask("a", 20ms, "all there was");
    ask("b", 1ms, "b");
    EXPECT_EQ(done_.size(), 1U);
    share_->give_back("a", 20ms);
    world_.pass(0ns);
    EXPECT_EQ(done_.size(), 2U);
}

TEST_F(TimeShareTest, WhoComesByATimerIsToldHowLongToWait) {
    EXPECT_EQ(share_->wait(), 0ns);
    {
        const auto piece = share_->begin("a");
        world_.spend(20ms);
    }
    EXPECT_GT(share_->wait(), 170ms);
    world_.pass(share_->wait());
    EXPECT_EQ(share_->wait(), 0ns);
}

TEST_F(TimeShareTest, WhoWaitsGoesOnWhenItEnds) {
    ask("a", 20ms, "all there was");
    ask("a", 1ms, "a");
    share_.reset();
    world_.pass(0ns);
    EXPECT_EQ(done_.size(), 2U);
    EXPECT_TRUE(world_.quiet());
}

}  // namespace
}  // namespace referee::loop
