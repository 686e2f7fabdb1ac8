#include "referee/watch/web/pace.h"

#include <gtest/gtest.h>

namespace referee::web {
namespace {

constexpr Pace::Options terms{3, 2, 4, 2, 100};
const Instant start = Instant(std::chrono::seconds(100));

TEST(Pace, ConnectionsAreBoundedInAllAndForANetwork) {
    Pace pace(terms);
    EXPECT_TRUE(pace.open("a"));
    EXPECT_TRUE(pace.open("a"));
    EXPECT_FALSE(pace.open("a"));
    EXPECT_TRUE(pace.open("b"));
    EXPECT_FALSE(pace.open("c"));
    pace.closed("a");
    EXPECT_TRUE(pace.open("c"));
    EXPECT_EQ(pace.connections(), 3U);
}

TEST(Pace, RequestsAreBoundedForANetworkAndComeBackWithTime) {
    Pace pace(terms);
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(pace.request("a", start));
    EXPECT_FALSE(pace.request("a", start));
    EXPECT_TRUE(pace.request("b", start)) << "another network has its own";
    EXPECT_TRUE(pace.request("a", start + std::chrono::milliseconds(500)));
    EXPECT_FALSE(pace.request("a", start + std::chrono::milliseconds(500)));
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(pace.request("a", start + std::chrono::hours(1)));
    EXPECT_FALSE(pace.request("a", start + std::chrono::hours(1))) << "credit has a bound";
}

}  // namespace
}  // namespace referee::web
