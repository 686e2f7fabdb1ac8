#include "referee/tournament/scheduler/phase.h"

#include <gtest/gtest.h>

#include "referee/tournament/scheduler/waits.h"
#include "tests/sim/world.h"

namespace referee::scheduler {
namespace {

using namespace std::chrono_literals;

class SchedulerPhaseTest : public testing::Test {
 protected:
    void goes_to(Duration since) {
        now = Instant{since};
        while (!timers.empty() && timers.earliest() <= now) timers.run_due();
    }
    Instant now{};
    tests::sim::SimulatedTimers timers{now};
};

TEST_F(SchedulerPhaseTest, goes_one_way_whatever_is_left_out) {
    SchedulerPhase phase(timers);
    EXPECT_FALSE(phase.playing());
    phase.start();
    EXPECT_TRUE(phase.playing());
    EXPECT_TRUE(phase.drain("enough"));
    EXPECT_TRUE(phase.stopping());
    EXPECT_FALSE(phase.drain("again"));
    phase.start();
    EXPECT_FALSE(phase.playing()) << "it is stopping";
    EXPECT_TRUE(phase.end(SchedulerEnding::Kind::stopped));
    EXPECT_TRUE(phase.ended() && phase.cut_short());
    EXPECT_FALSE(phase.end(SchedulerEnding::Kind::finished));
    EXPECT_FALSE(phase.stop("late", 0s, [] {}));

    SchedulerPhase never_begun(timers);
    EXPECT_TRUE(never_begun.end(SchedulerEnding::Kind::finished));
    EXPECT_FALSE(never_begun.cut_short());
}

TEST_F(SchedulerPhaseTest, a_second_stop_can_only_shorten_the_time) {
    SchedulerPhase phase(timers);
    phase.start();
    int over = 0;
    const auto note = [&over] { ++over; };
    EXPECT_TRUE(phase.drain("first"));
    EXPECT_EQ(phase.grace_ends(), std::nullopt);
    EXPECT_TRUE(phase.stop("second", 10s, note));
    EXPECT_EQ(phase.stop_reason(), "first");
    EXPECT_FALSE(phase.stop("third", 20s, note));
    EXPECT_EQ(phase.grace_ends(), Instant{10s});
    EXPECT_TRUE(phase.stop("fourth", 5s, note));
    EXPECT_EQ(phase.grace_ends(), Instant{5s});
    goes_to(5s);
    EXPECT_EQ(over, 1);
    EXPECT_EQ(phase.grace_ends(), std::nullopt);
    goes_to(20s);
    EXPECT_EQ(over, 1) << "the first grace time was taken back";
}

TEST_F(SchedulerPhaseTest, its_end_takes_the_grace_time_back) {
    SchedulerPhase phase(timers);
    int over = 0;
    EXPECT_TRUE(phase.stop("now", 3s, [&over] { ++over; }));
    EXPECT_TRUE(phase.end(SchedulerEnding::Kind::stopped));
    goes_to(10s);
    EXPECT_EQ(over, 0);
}

TEST_F(SchedulerPhaseTest, news_of_waits_come_once_and_not_more_often_than_each_second) {
    std::vector<Wait> present{{.kind = Wait::Kind::for_start, .tournament = "a"}};
    std::vector<std::size_t> told;
    WaitNews news(
        timers, [&present] { return present; },
        [&told](const auto& waiting) { told.push_back(waiting.size()); });
    news.look();
    EXPECT_EQ(told, (std::vector<std::size_t>{1}));
    present.push_back({.kind = Wait::Kind::for_start, .tournament = "b"});
    news.look();
    goes_to(999ms);
    EXPECT_EQ(told.size(), 1U) << "the second isn't over";
    goes_to(1s);
    EXPECT_EQ(told, (std::vector<std::size_t>{1, 2}));
    goes_to(5s);
    news.look();
    EXPECT_EQ(told.size(), 2U) << "that is known";
    present.clear();
    news.look();
    news.cancel();
    goes_to(9s);
    EXPECT_EQ(told.size(), 2U) << "it was taken back";
}

}  // namespace
}  // namespace referee::scheduler
