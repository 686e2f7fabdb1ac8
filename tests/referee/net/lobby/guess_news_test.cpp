#include "referee/net/lobby/guess_news.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/limits.h"
#include "tests/sim/world.h"

namespace tests::sim {
namespace {

using namespace std::chrono_literals;
using referee::lobby::GuessNews;
using ::testing::HasSubstr;
namespace limits = referee::limits;

struct GuessNewsTest : ::testing::Test {
    World world{1};
    std::vector<std::string> lines;
    GuessNews news{world.referee(), [this](const auto& line) { lines.push_back(line); }};
};

TEST_F(GuessNewsTest, from_very_many_places_are_told_together) {
    for (std::size_t i = 0; i < 10 * limits::bursts_told_max; ++i)
        news.wrong("192.0.2." + std::to_string(i), "the token of ada", 6);
    ASSERT_EQ(lines.size(), limits::bursts_told_max + 1);
    EXPECT_THAT(lines.back(), HasSubstr("from further addresses"));
    news.turned_away("192.0.3.1");
    world.pass(limits::burst_silence + 1s);
    ASSERT_EQ(lines.size(), 2 * (limits::bursts_told_max + 1));
    EXPECT_THAT(lines, ::testing::Contains(HasSubstr("from further addresses: 581 tries")));
    EXPECT_THAT(lines, ::testing::Contains(HasSubstr("; 1 more were turned away unjudged")));
}

TEST_F(GuessNewsTest, tells_nothing_of_a_place_without_a_burst) {
    news.wrong_where_told("10.0.0.7", "the token of ada");
    news.turned_away("10.0.0.7");
    world.pass(limits::burst_silence + 1s);
    EXPECT_TRUE(lines.empty());
}

TEST_F(GuessNewsTest, begins_a_new_burst_after_a_silence) {
    for (int i = 0; i < 3; ++i) {
        news.wrong("10.0.0.7", "the token of ada", 6);
        world.pass(limits::burst_silence + 1s);
    }
    EXPECT_EQ(lines.size(), 6U);
}

}  // namespace
}  // namespace tests::sim
