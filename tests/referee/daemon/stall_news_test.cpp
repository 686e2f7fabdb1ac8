#include "referee/daemon/stall_news.h"

#include <gtest/gtest.h>

namespace referee::daemon {
namespace {

using namespace std::chrono_literals;

TEST(StallNewsTest, TellsOneLineASecondAndSumsUpTheRest) {
    StallNews news;
    const auto noon = Instant{} + 1h;
    EXPECT_EQ(news.told(noon, "only its process was stopped", 500ms, 2),
              "the referee stood still for 500.000 ms (only its process was stopped) while 2 turns "
              "ran");
    EXPECT_FALSE(news.told(noon + 400ms, "it was busy", 200ms, 2));
    EXPECT_FALSE(news.told(noon + 999ms, "it was busy", 100ms, 2));
    EXPECT_EQ(
        news.told(noon + 1s, "it was busy", 120ms, 1),
        "the referee stood still for 120.000 ms (it was busy) while 1 turn ran; before that 2 "
        "times more, 300.000 ms in all");
    EXPECT_EQ(news.told(noon + 2s, "it was busy", 120ms, 0),
              "the referee stood still for 120.000 ms (it was busy) while 0 turns ran");
}

}  // namespace
}  // namespace referee::daemon
