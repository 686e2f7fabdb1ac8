#include "protocol/json/columns.h"

#include <gtest/gtest.h>

#include <string>

namespace protocol::json {
namespace {

TEST(Columns, AreCountedAsTerminalsDo) {
    const struct {
        std::string text;
        std::size_t columns;
    } cases[] = {
        {"", 0},
        {"ann", 3},
        {"\xc3\xa9", 1},          // a letter with an accent
        {"\xe4\xb8\xad", 2},      // a Chinese letter
        {"\xe2\x9c\x85", 2},      // a picture among the symbols
        {"\xe2\x94\x80", 1},      // a line
        {"\xf0\x9f\x90\x8d", 2},  // a snake
        {"\xf0\x9f", 2},          // cut in the middle
        {"\xff\x80", 2},          // no UTF-8
    };
    for (const auto& one : cases) EXPECT_EQ(columns_of(one.text), one.columns) << one.text;
}

TEST(Columns, ATextIsNeverCutInACharacter) {
    const std::string snakes = "\xf0\x9f\x90\x8d\xf0\x9f\x90\x8d";
    EXPECT_EQ(fitting(snakes, 4), snakes);
    EXPECT_EQ(fitting(snakes, 3), snakes.substr(0, 4));
    EXPECT_EQ(fitting(snakes, 1), "");
    EXPECT_EQ(fitting("ann", 9), "ann");
}

}  // namespace
}  // namespace protocol::json
