#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "protocol/json/text.h"

namespace protocol::json {
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

TEST(Utf8, makes_any_bytes_readable) {
    const struct {
        std::string_view text;
        std::size_t bytes_max;
        std::string_view expected;
    } cases[] = {
        {"plain", 10, "plain"},
        {"plain", 5, "plain"},
        {"plain", 4, "plai..."},
        {"\xFF\xFE", 10, "\\xff\\xfe"},
        {"a\xC3\xA9", 2, "a..."},
        {"a\xC3\xA9\xC3", 10, "a\xC3\xA9\\xc3"},
        {"", 0, ""},
        {"a", 0, "..."},
    };
    for (const auto& [text, bytes_max, expected] : cases) {
        EXPECT_EQ(readable(text, bytes_max), expected);
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

TEST(Printable, WhatATerminalWouldObeyIsSeen) {
    using namespace std::string_literals;
    const std::vector<std::pair<std::string, std::string>> rows = {
        {"", ""},
        {"plain text, žluťoučký, 日本", "plain text, žluťoučký, 日本"},
        {"\x1b[2J\x1b[31mred", "\\x1b[2J\\x1b[31mred"},
        {"a\rb\tc\nd", "a\\rb\\tc\\nd"},
        {"\x07\x7f\0."s, "\\x07\\x7f\\x00."},
        {"\xc2\x9b"
         "31m",
         "\\x9b31m"},  // the same order in one character
        {"abc\xff\xc3", "abc\\xff\\xc3"},
        {"user\u202etxt.exe", "user\\u202etxt.exe"},
        {"zero\u200bwidth", "zero\\u200bwidth"},
        {"soft\u00adhyphen", "soft\\xadhyphen"},
        // Letters that show nothing, private use, what is no character.
        {"\u2800\u3164\u115f\u1160\uffa0", "\\u2800\\u3164\\u115f\\u1160\\uffa0"},
        {"\ufffc\u061c\ue000\uf8ff", "\\ufffc\\u061c\\ue000\\uf8ff"},
        {"\uffff\ufdd0\U0001fffe\U0010ffff", "\\uffff\\ufdd0\\u1fffe\\u10ffff"},
        {"\u2764\ufe0f \uc548\ub155 \ufffd", "\u2764\ufe0f \uc548\ub155 \ufffd"},
    };
    for (const auto& [text, visible] : rows) {
        EXPECT_EQ(visible_line(text), visible);
        EXPECT_EQ(is_one_printable_line(text), text == visible) << visible;
        EXPECT_TRUE(is_one_printable_line(visible_line(text))) << visible;
    }
}

TEST(Printable, FurtherLinesCantLookLikeOurs) {
    EXPECT_EQ(visible_lines("one", "| "), "one");
    EXPECT_EQ(visible_lines("one\ntwo\r\n\nfour\n\n", "| "), "one\n| two\n| \n| four");
    EXPECT_EQ(visible_lines("it printed: x\n12:00:00.000 info tournament t is finished", "    | "),
              "it printed: x\n    | 12:00:00.000 info tournament t is finished");
    EXPECT_EQ(visible_lines("a\rb\x1b\n\x1b", "| "), "a\\rb\\x1b\n| \\x1b");
}

TEST(Printable, BlanksAreSingleSpacesBetweenOthers) {
    for (const auto* text : {"", "ann", "ann lee", "a b c", "\u65e5 \u672c"})
        EXPECT_TRUE(has_plain_blanks(text)) << text;
    for (const auto* text : {" ", " ann", "ann ", "ann  lee", "ann\u00a0lee", "ann\u3000lee",
                             "\u2003ann", "ann\u202flee"})
        EXPECT_FALSE(has_plain_blanks(text)) << text;
}

TEST(Printable, WhatASpreadsheetWouldRun) {
    for (const auto* cell : {"=1+1", "=cmd|' /C calc'!A0", "@SUM(A1)", "+cmd", "-cmd", "-", "+1+1",
                             "-2-3", "=5", "\t=1", "\r=1"})
        EXPECT_TRUE(is_formula(cell)) << cell;
    for (const auto* cell : {"", "ann", "-0.5", "+1", "-12", "1e5", "-1.5e3", "a=b", "'=1", " =1"})
        EXPECT_FALSE(is_formula(cell)) << cell;
}

TEST(Markup, ItsOwnSignsAreEntities) {
    std::string text;
    for (const char c : std::string_view("a<b> & \"c\"'")) {
        const auto entity = entity_of(c);
        entity.empty() ? text.append(1, c) : text.append(entity);
    }
    EXPECT_EQ(text, "a&lt;b&gt; &amp; &quot;c&quot;&#39;");
    EXPECT_EQ(quoted_cell("a \"b\", c"), "\"a \"\"b\"\", c\"");
    EXPECT_EQ(csv_line({"a", "b,c", "say \"hi\"", ""}), "a,\"b,c\",\"say \"\"hi\"\"\",\n");
    EXPECT_EQ(csv_line({"=cmd|' /C calc'!A0", "@a,b", "-0.5", "+1", "ann"}),
              "'=cmd|' /C calc'!A0,\"'@a,b\",-0.5,+1,ann\n")
        << "no spreadsheet runs it";
}

TEST(InLog, OrdersToAJobAreOnlyText) {
    struct Case {
        std::string_view text, shown;
    };
    for (const auto& [text, shown] : {
             Case{"", ""},
             Case{"::error::it", "\\::error::it"},
             Case{"  ::error::it", "  \\::error::it"},
             Case{"a\n\t::stop-commands::x", "a\n\t\\::stop-commands::x"},
             Case{"a \"::b\"", "a \"\\::b\""},
             Case{"std::vector<a::b>::size", "std::vector<a::b>::size"},
             Case{":::", "\\:::"},
             Case{"x ##[error]y", "x ## [error]y"},
             Case{"###[error]", "### [error]"},
             Case{"##vso[a]##teamcity[b]", "## vso[a]## teamcity[b]"},
             Case{"## a heading [1]", "## a heading [1]"},
             Case{"##", "##"},
             Case{"#include <a>", "#include <a>"},
         }) {
        EXPECT_EQ(in_log(text), shown);
        EXPECT_EQ(in_log(shown).find("##["), std::string::npos) << "once is enough";
    }
}

}  // namespace
}  // namespace protocol::json
