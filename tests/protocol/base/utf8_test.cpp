#include <gtest/gtest.h>

#include <string>

#include "protocol/base/utf8.h"
#include "protocol/base/visible_text.h"

namespace base {
namespace {

TEST(Utf8, measures_sequences) {
    const struct {
        std::string text;
        std::size_t bytes;
    } cases[] = {
        {"", 0},
        {"a", 1},
        {std::string("\0", 1), 1},
        {"\x7F", 1},
        {"\x80", 0},
        {"\xBF", 0},
        {"\xC0\x80", 0},
        {"\xC1\xBF", 0},
        {"\xC2\x80", 2},
        {"\xDF\xBF", 2},
        {"\xC2", 0},
        {"\xC2\x41", 0},
        {"\xE0\x9F\xBF", 0},
        {"\xE0\xA0\x80", 3},
        {"\xE2\x82\xAC", 3},
        {"\xED\x9F\xBF", 3},
        {"\xED\xA0\x80", 0},
        {"\xEF\xBF\xBF", 3},
        {"\xE2\x82", 0},
        {"\xF0\x8F\xBF\xBF", 0},
        {"\xF0\x90\x80\x80", 4},
        {"\xF4\x8F\xBF\xBF", 4},
        {"\xF4\x90\x80\x80", 0},
        {"\xF5\x80\x80\x80", 0},
        {"\xFF", 0},
    };
    for (const auto& [text, bytes] : cases) {
        EXPECT_EQ(utf8_sequence_bytes(text), bytes) << readable(text, 100);
        EXPECT_EQ(is_utf8(text), text.empty() || bytes > 0) << readable(text, 100);
    }
}

TEST(Utf8, cuts_between_sequences) {
    const std::string text = "a\xC3\xA9\xE2\x82\xAC";  // 1, 2, 3 bytes
    const std::string_view expected[] = {"",          "a",         "a",  "a\xC3\xA9",
                                         "a\xC3\xA9", "a\xC3\xA9", text, text};
    for (std::size_t bytes = 0; bytes < std::size(expected); ++bytes) {
        EXPECT_EQ(utf8_prefix(text, bytes), expected[bytes]) << bytes;
    }
}

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
}  // namespace base
