#include "referee/watch/terminal/line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/watch/terminal/terminal.h"

namespace referee::terminal {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(LineTest, IsCutByColumnsNotBytes) {
    EXPECT_EQ(drawn({{"abc"}, {"def"}}, 4, false), "abcd");
    EXPECT_EQ(drawn({{"\xc3\xa9\xc3\xa9\xc3\xa9"}}, 2, false), "\xc3\xa9\xc3\xa9");
    // A picture takes two columns, so it doesn't fit where one is left.
    EXPECT_EQ(drawn({{"a\xf0\x9f\x98\x80"}}, 2, false), "a");
    EXPECT_EQ(drawn({{"abc"}}, 0, false), "");
}

TEST(LineTest, HasEscapesOnlyWithColour) {
    const Line line{{"x", Paint::red}, {"y"}};
    EXPECT_EQ(drawn(line, 9, false), "xy");
    EXPECT_EQ(drawn(line, 9, true), "\x1b[31mx\x1b[0my");
}

TEST(LineTest, OnlyTheBoardOfAPositionIsPainted) {
    const auto lines = position_lines("Turn 7\n.A.\n.b#\n...\na: 0 bricks\n");
    ASSERT_EQ(lines.size(), 5U);
    EXPECT_THAT(drawn(lines[0], 80, true), Not(HasSubstr("\x1b")));
    EXPECT_THAT(drawn(lines[4], 80, true), Not(HasSubstr("\x1b")));
    for (std::size_t i : {1U, 2U, 3U}) EXPECT_THAT(drawn(lines[i], 80, true), HasSubstr("\x1b"));
    EXPECT_EQ(drawn(lines[2], 80, false), ".b#");
}

TEST(EnvironmentTest, SaysWhatATerminalHas) {
    struct Case {
        Environment environment;
        bool cursor;
        bool colour;
    };
    const std::vector<Case> cases{
        {{}, false, false},
        {{"dumb", std::nullopt, "truecolor"}, false, false},
        {{"xterm-256color", std::nullopt, std::nullopt}, true, true},
        {{"xterm-256color", "1", std::nullopt}, true, false},
        {{"xterm-256color", "", std::nullopt}, true, true},
        {{"xterm-mono", std::nullopt, std::nullopt}, true, false},
        {{"vt100", std::nullopt, std::nullopt}, true, false},
        {{"vt100", std::nullopt, "24bit"}, true, true},
    };
    for (const auto& each : cases) {
        EXPECT_EQ(has_cursor(each.environment), each.cursor) << each.environment.term.value_or("-");
        EXPECT_EQ(has_colour(each.environment), each.colour) << each.environment.term.value_or("-");
    }
}

}  // namespace
}  // namespace referee::terminal
