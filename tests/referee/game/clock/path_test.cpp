#include "referee/game/clock/path.h"

#include <gtest/gtest.h>

#include <vector>

namespace referee::clock {
namespace {

using namespace std::chrono_literals;

constexpr Instant at_first{};

// The history of a connection that had the time to show what it is like.
PathHistory old_history(Duration least = {}) {
    PathHistory history;
    for (std::size_t i = 0; i < PathHistory::samples_few; ++i) history.asked();
    history.saw_least(least);
    return history;
}

TEST(PathHistory, of_a_new_connection_all_jitter_is_plausible) {
    PathHistory history;
    history.saw_least(1ms);
    EXPECT_EQ(history.path(), (Path{1ms, 1ms + spread_max}));
    for (std::size_t i = 0; i < PathHistory::samples_few / 2; ++i) history.asked();
    EXPECT_EQ(history.path(), (Path{1ms, 1ms + spread_max}));
    for (std::size_t i = 0; i < PathHistory::samples_few / 4; ++i) history.asked();
    EXPECT_EQ(history.path(), (Path{1ms, 1ms + spread_max / 2}));
    history.saw(17ms, at_first);
    EXPECT_EQ(history.path(), (Path{1ms, 21ms, 16ms})) << "more has been seen";
    for (std::size_t i = 0; i < 100; ++i) history.asked();
    EXPECT_EQ(history.path(), (Path{1ms, 21ms, 16ms}));
}

TEST(PathHistory, the_mean_is_that_of_what_was_seen) {
    auto history = old_history(10ms);
    for (const auto seen : {12ms, 14ms, 10ms, 16ms}) history.saw(seen, at_first);
    EXPECT_EQ(history.path().mean(), 13ms);
    for (std::size_t i = 0; i < PathHistory::samples_kept; ++i)
        history.saw(i % 2 == 0 ? 10ms : 12ms, at_first);
    EXPECT_EQ(history.path().mean(), 11ms);
}

TEST(PathHistory, is_told_by_the_least_and_by_what_was_seen) {
    struct Case {
        const char* what;
        std::vector<Duration> least;
        std::vector<Duration> seen;
        Path path;
    };
    std::vector<Duration> long_ago(PathHistory::samples_kept + 1, 1ms);
    long_ago[0] = 21ms;
    const std::vector<Case> cases = {
        {"the kernel has forgotten the short ones", {300us, 35ms}, {}, Path::exact(300us)},
        {"a shorter one", {300us, 200us}, {}, Path::exact(200us)},
        {"unknown", {200us, 0ns}, {}, Path::exact(200us)},
        {"the largest excess and a quarter", {40ms}, {44ms, 48ms, 42ms}, {40ms, 50ms, 4666666ns}},
        {"an old excess is forgotten", {1ms}, long_ago, Path::exact(1ms)},
        {"delayed acknowledgements", {1ms}, {37ms, 41ms, 45ms, 200ms, 3000ms}, Path::exact(1ms)},
        {"the spread is bounded", {1ms}, {30ms}, {1ms, 1ms + spread_max, spread_max}},
    };
    for (const auto& [what, least, seen, path] : cases) {
        auto history = old_history();
        for (const auto one : least) history.saw_least(one);
        for (const auto one : seen) history.saw(one, at_first);
        EXPECT_EQ(history.path(), path) << what;
    }
}

TEST(PathHistory, one_packet_that_was_held_up_counts_only_while_samples_are_few) {
    auto history = old_history(1ms);
    history.saw(13ms, at_first);
    EXPECT_EQ(history.path(), (Path{1ms, 16ms, 12ms}));
    for (std::size_t i = 1; i < PathHistory::samples_few; ++i) history.saw(1ms, at_first);
    EXPECT_EQ(history.path(), Path::exact(1ms));
    history.saw(9ms, at_first);
    EXPECT_EQ(history.path(), (Path{1ms, 11ms, 1176470ns}));
}

TEST(PathHistory, a_round_trip_of_which_the_least_is_known_only_adds_to_what_was_seen) {
    auto history = old_history(1ms);
    history.saw_more_than(9ms, at_first);
    EXPECT_EQ(history.path().most, 11ms);
    for (int i = 0; i < 100; ++i) history.saw_more_than(5ms, at_first);
    EXPECT_EQ(history.path(), (Path{1ms, 11ms, 8ms})) << "it does not make others be forgotten";
    history.saw_more_than(17ms, at_first);
    EXPECT_EQ(history.path().most, 21ms);
    history.saw_more_than(500us, at_first);
    EXPECT_EQ(history.path().least, 500us);
}

TEST(PathHistory, an_excess_is_forgotten_after_half_a_minute) {
    auto history = old_history(1ms);
    history.saw(21ms, at_first);
    history.forget_before(at_first);
    EXPECT_EQ(history.path().most, 26ms);
    history.saw(5ms, at_first + sample_age_max + 1ns);
    EXPECT_EQ(history.path(), (Path{1ms, 6ms, 4ms}));
    history.forget_before(at_first + 2 * sample_age_max);
    EXPECT_EQ(history.path(), Path::exact(1ms)) << "without news too";
}

// As by a bot that reads late.
TEST(PathHistory, acknowledgements_that_were_all_held_back_do_not_count) {
    auto history = old_history(300us);
    for (std::size_t i = 0; i < PathHistory::samples_few; ++i)
        history.saw(i % 2 == 0 ? 16ms : 24ms, at_first);
    EXPECT_EQ(history.path(), Path::exact(300us));
    history.saw(3ms, at_first);
    EXPECT_GT(history.path().most, 20ms) << "a way that shakes has short round trips too";
}

TEST(PathHistory, a_later_connection_goes_on_from_it) {
    auto history = old_history(1ms);
    history.saw(5ms, at_first);
    PathHistory later;
    later.saw_least(2ms);
    later.saw(9ms, at_first);
    history.join(later);
    EXPECT_EQ(history.path().least, 1ms) << "the least that was ever seen";
    EXPECT_EQ(history.path().most, 11ms) << "not new any more, and what the later one has shown";
    later.saw_least(500us);
    history.join(later);
    EXPECT_EQ(history.path().least, 500us);
}

TEST(PathHistory, the_deviation_counts_only_where_there_are_no_samples) {
    auto history = old_history(1ms);
    history.saw_deviation(9ms);
    EXPECT_EQ(history.path(), (Path{1ms, 10ms}));
    history.saw(3ms, at_first);
    EXPECT_EQ(history.path(), (Path{1ms, 3500us, 2ms}));
}

}  // namespace
}  // namespace referee::clock
