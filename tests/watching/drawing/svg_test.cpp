#include "referee/watching/drawing/svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace referee::drawing {
namespace {

using testing::HasSubstr;
using testing::Not;

// What a game without a board gets.
TEST(SvgTest, ATextIsAPictureOfItsLines) {
    const auto svg = svg_of_text(". <a\n b&\n", "a \x01\"game\"");
    EXPECT_THAT(svg, HasSubstr(">. &lt;a</text>"));
    EXPECT_THAT(svg, HasSubstr("> b&amp;</text>"));
    EXPECT_THAT(svg, HasSubstr("<title>a \\x01&quot;game&quot;</title>"));
    EXPECT_THAT(svg, HasSubstr("xml:space=\"preserve\""));
    EXPECT_THAT(svg, Not(HasSubstr("\x01")));
}

}  // namespace
}  // namespace referee::drawing
