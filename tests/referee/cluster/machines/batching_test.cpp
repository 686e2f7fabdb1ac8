#include "referee/cluster/machines/batching.h"

#include <gtest/gtest.h>

namespace referee::machines {
namespace {

using namespace std::chrono_literals;

std::deque<scheduler::MatchTask> waiting(std::size_t count) {
    std::deque<scheduler::MatchTask> all(count);
    for (std::size_t i = 0; i < count; ++i)
        all[i].games.push_back({{.key = {"t", i + 1, 1, 1}, .entrants = {}}, {}});
    return all;
}

std::vector<std::string> matches(std::size_t count) {
    return std::vector<std::string>(count, "t");
}

TEST(BatchingTest, TheFirstJobsAreSmall) {
    EXPECT_EQ(Batching(4).next(waiting(1000), 2), 4U);
}

TEST(BatchingTest, AJobComesToTakeMinutes) {
    Batching batching(1);
    for (int i = 0; i < 20; ++i)
        batching.learn(matches(batching.matches_of("t")), 2s * batching.matches_of("t"));
    EXPECT_EQ(batching.matches_of("t"), 90U) << "three minutes";
    EXPECT_EQ(batching.next(waiting(1000), 1), 90U);
}

TEST(BatchingTest, NoJobIsMuchLargerThanOneThatWasMeasured) {
    Batching batching(1);
    batching.learn(matches(1), 1ms);
    EXPECT_EQ(batching.matches_of("t"), growth_most);
}

TEST(BatchingTest, AMatchOfHoursIsAJob) {
    Batching batching(8);
    batching.learn(matches(1), 2h);
    EXPECT_EQ(batching.matches_of("t"), 1U);
}

TEST(BatchingTest, AllPlacesAreUsedBeforeAnyJobIsFilled) {
    Batching batching(1);
    for (int i = 0; i < 20; ++i)
        batching.learn(matches(batching.matches_of("t")), 1s * batching.matches_of("t"));
    EXPECT_EQ(batching.next(waiting(10), 5), 2U);
    EXPECT_EQ(batching.next(waiting(3), 5), 1U);
    EXPECT_EQ(batching.next(waiting(0), 5), 0U);
}

}  // namespace
}  // namespace referee::machines
