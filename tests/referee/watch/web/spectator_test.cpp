#include "referee/watch/web/live_game.h"

#include <gtest/gtest.h>

namespace referee::web {
namespace {

Piece frame(int number) {
    return event_piece("frame", std::to_string(number), "{}");
}

TEST(EventPiece, HasItsIdOnlyWhereThereIsOne) {
    EXPECT_EQ(*event_piece("frame", "7", "{}"), "id: 7\nevent: frame\ndata: {}\n\n");
    EXPECT_EQ(*event_piece("end", "", "null"), "event: end\ndata: null\n\n");
}

TEST(Spectator, GetsWhatWasPushedInItsOrderAndIsTold) {
    Spectator spectator(1000);
    int told = 0;
    spectator.on_ready([&told] { ++told; });
    spectator.push(frame(1));
    spectator.push(frame(2));
    EXPECT_EQ(told, 2);
    EXPECT_EQ(*spectator.take(), *frame(1));
    EXPECT_EQ(*spectator.take(), *frame(2));
    EXPECT_EQ(spectator.take(), nullptr);
    EXPECT_FALSE(spectator.ended());
}

TEST(Spectator, WhoIsTooSlowIsToldToReloadAndNothingElse) {
    Spectator spectator(frame(1)->size() * 3);
    for (int i = 0; i < 3; ++i) spectator.push(frame(i));
    EXPECT_FALSE(spectator.ended());
    spectator.push(frame(3));
    EXPECT_TRUE(spectator.ended());
    EXPECT_NE(spectator.take()->find("event: reload"), std::string::npos);
    spectator.push(frame(4));
    EXPECT_EQ(spectator.take(), nullptr);
}

TEST(Spectator, WhatWasTakenMakesRoom) {
    Spectator spectator(frame(1)->size());
    for (int i = 0; i < 100; ++i) {
        spectator.push(frame(i % 10));
        ASSERT_NE(spectator.take(), nullptr);
    }
    EXPECT_FALSE(spectator.ended());
}

TEST(Spectator, WhoHasLeftGetsNothing) {
    Spectator spectator(1000);
    spectator.push(frame(1));
    spectator.leave();
    spectator.push(frame(2));
    EXPECT_EQ(spectator.take(), nullptr);
    EXPECT_TRUE(spectator.gone());
}

}  // namespace
}  // namespace referee::web
