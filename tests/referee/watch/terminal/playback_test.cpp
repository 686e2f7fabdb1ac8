#include "referee/watch/terminal/playback.h"

#include <gtest/gtest.h>

namespace referee::terminal {
namespace {

TEST(PlaybackTest, StepsWithinTheGameAndStopsIt) {
    Playback playback{.frames = 3, .running = Running::forward};
    obey(playback, Wish::previous);
    EXPECT_EQ(playback.frame, 0U);
    EXPECT_EQ(playback.running, Running::stopped);
    for (int i = 0; i < 5; ++i) obey(playback, Wish::next);
    EXPECT_EQ(playback.frame, 2U);
    obey(playback, Wish::first);
    EXPECT_EQ(playback.frame, 0U);
    obey(playback, Wish::last);
    EXPECT_EQ(playback.frame, 2U);
}

TEST(PlaybackTest, RunsToTheEndsAndStopsThere) {
    Playback playback{.frames = 3};
    advance(playback);
    EXPECT_EQ(playback.frame, 0U);
    obey(playback, Wish::run_forward);
    advance(playback);
    EXPECT_EQ(playback.running, Running::forward);
    advance(playback);
    EXPECT_EQ(playback.frame, 2U);
    EXPECT_EQ(playback.running, Running::stopped);
    obey(playback, Wish::run_backward);
    advance(playback);
    advance(playback);
    EXPECT_EQ(playback.frame, 0U);
    EXPECT_EQ(playback.running, Running::stopped);
}

TEST(PlaybackTest, FollowsOneSeatAfterTheOther) {
    Playback playback{.frames = 3, .seats = 2};
    obey(playback, Wish::follow);
    EXPECT_EQ(playback.followed, 1U);
    obey(playback, Wish::follow);
    EXPECT_EQ(playback.followed, 0U);
    EXPECT_EQ(playback.frame, 0U);
    Playback alone;
    obey(alone, Wish::follow);
    EXPECT_EQ(alone.followed, 0U);
}

TEST(PlaybackTest, APauseGoesOnInItsDirection) {
    Playback playback{.frames = 9, .frame = 5, .running = Running::backward};
    obey(playback, Wish::pause);
    EXPECT_EQ(playback.running, Running::stopped);
    obey(playback, Wish::pause);
    EXPECT_EQ(playback.running, Running::backward);
}

TEST(PlaybackTest, SpeedDoublesAndHalvesWithinBounds) {
    Playback playback;
    const auto at_first = frame_us(playback);
    obey(playback, Wish::faster);
    EXPECT_EQ(frame_us(playback), at_first / 2);
    for (int i = 0; i < 100; ++i) obey(playback, Wish::faster);
    EXPECT_LE(frame_us(playback), at_first / 10) << "ten times as fast, and beyond";
    EXPECT_GT(frame_us(playback), 0);
    for (int i = 0; i < 100; ++i) obey(playback, Wish::slower);
    EXPECT_EQ(frame_us(playback), at_first * 8);
}

TEST(PlaybackTest, GoesFromFaultToFault) {
    Playback playback{.frames = 9, .fault_frames = {2, 5}};
    obey(playback, Wish::previous_fault);
    EXPECT_EQ(playback.frame, 0U);
    obey(playback, Wish::next_fault);
    EXPECT_EQ(playback.frame, 2U);
    obey(playback, Wish::next_fault);
    obey(playback, Wish::next_fault);
    EXPECT_EQ(playback.frame, 5U);
    obey(playback, Wish::previous_fault);
    EXPECT_EQ(playback.frame, 2U);
}

}  // namespace
}  // namespace referee::terminal
