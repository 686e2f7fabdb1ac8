#include "referee/connections/net/path_history.h"

#include <gtest/gtest.h>

#include <random>

namespace referee::net {
namespace {

using namespace std::chrono_literals;

TEST(PathHistory, knows_nothing_at_first) {
    EXPECT_EQ(PathHistory().path(), Path{});
}

TEST(PathHistory, the_least_never_rises) {
    PathHistory history;
    history.saw_least(300us);
    history.saw_least(35ms);  // the kernel has forgotten the short ones
    EXPECT_EQ(history.path(), Path::exact(300us));
    history.saw_least(200us);
    EXPECT_EQ(history.path(), Path::exact(200us));
    history.saw_least(0ns);  // unknown
    EXPECT_EQ(history.path(), Path::exact(200us));
}

TEST(PathHistory, the_most_is_the_largest_excess_and_a_quarter) {
    PathHistory history;
    history.saw_least(40ms);
    history.saw(44ms);
    history.saw(48ms);
    history.saw(42ms);
    EXPECT_EQ(history.path(), (Path{40ms, 50ms}));
}

TEST(PathHistory, one_packet_that_was_held_up_counts_only_while_samples_are_few) {
    PathHistory history;
    history.saw_least(1ms);
    history.saw(13ms);
    EXPECT_EQ(history.path(), (Path{1ms, 16ms}));
    for (std::size_t i = 1; i < PathHistory::samples_few; ++i) history.saw(1ms);
    EXPECT_EQ(history.path(), Path::exact(1ms));
    history.saw(9ms);
    EXPECT_EQ(history.path(), (Path{1ms, 11ms}));
}

TEST(PathHistory, an_old_excess_is_forgotten) {
    PathHistory history;
    history.saw_least(1ms);
    history.saw(21ms);
    for (std::size_t i = 0; i < PathHistory::samples_kept; ++i) history.saw(1ms);
    EXPECT_EQ(history.path(), Path::exact(1ms));
}

TEST(PathHistory, a_delayed_acknowledgement_is_no_sample) {
    PathHistory history;
    history.saw_least(1ms);
    for (const auto delayed : {37ms, 41ms, 45ms, 200ms, 3000ms}) history.saw(delayed);
    EXPECT_EQ(history.path(), Path::exact(1ms));
}

TEST(PathHistory, the_spread_is_bounded) {
    PathHistory history;
    history.saw_least(1ms);
    history.saw(30ms);
    EXPECT_EQ(history.path(), (Path{1ms, 1ms + spread_max}));
}

TEST(PathHistory, the_deviation_counts_only_where_there_are_no_samples) {
    PathHistory history;
    history.saw_least(1ms);
    history.saw_deviation(9ms);
    EXPECT_EQ(history.path(), (Path{1ms, 10ms}));
    history.saw(3ms);
    EXPECT_EQ(history.path(), (Path{1ms, 3500us}));
}

// A bot answers in time by one millisecond, on a way that takes up to `jitter` longer each way, by
// chance. How often is the friendliest reading of its answer late?
double false_late(Duration jitter) {
    std::mt19937_64 random(4);
    std::uniform_int_distribution<std::int64_t> us(0, in_us(jitter));
    constexpr auto least = 20ms;
    constexpr auto spare = 1ms;
    constexpr int turns = 20'000;
    PathHistory history;
    history.saw_least(least);
    int late = 0;
    for (int turn = 0; turn < turns; ++turn) {
        const auto out = from_us(us(random));
        history.saw(least + out + from_us(us(random)));
        const auto way = least + out + from_us(us(random));
        const bool warm = turn >= static_cast<int>(PathHistory::samples_kept);
        if (warm && way > history.path().most + spare) ++late;
    }
    return static_cast<double>(late) / turns;
}

TEST(PathHistory, honest_jitter_is_covered) {
    EXPECT_EQ(false_late(0ms), 0);
    EXPECT_LT(false_late(2ms), 0.001);
    EXPECT_LT(false_late(10ms), 0.001);
}

}  // namespace
}  // namespace referee::net
