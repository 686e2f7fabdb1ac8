#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "protocol/base/visible_text.h"

namespace base {
namespace {

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

TEST(Markup, ItsOwnSignsAreEntities) {
    EXPECT_EQ(in_markup("a<b> & \"c\"'"), "a&lt;b&gt; &amp; &quot;c&quot;&#39;");
}

TEST(Markup, MarkdownEscapesOnlyWhatItWouldTakeForMore) {
    for (const auto* text : {"snake_late", "./a 8 < board.txt & more", "beside [169, 45], where",
                             "vector: '#(#(1 2)", "b > c", "left-turner"})
        EXPECT_EQ(in_markdown(text), text);
    for (const auto& [text, shown] :
         {std::pair("__init__", "\\_\\_init\\_\\_"), std::pair("_a", "\\_a"),
          std::pair("<b", "&lt;b"), std::pair("&lt", "&amp;lt"), std::pair("> a", "&gt; a"),
          std::pair("a](b", "a\\](b"), std::pair("[a]", "\\[a\\]"),
          std::pair("see #12", "see \\#12"), std::pair("- a", "\\- a")})
        EXPECT_EQ(in_markdown(text), shown);
}

TEST(CiLog, OrdersToAJobAreOnlyText) {
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
        EXPECT_EQ(safe_for_ci_log(text), shown);
        EXPECT_EQ(safe_for_ci_log(shown).find("##["), std::string::npos) << "once is enough";
    }
}

TEST(Csv, FindsWhatASpreadsheetWouldRun) {
    for (const auto* cell : {"=1+1", "=cmd|' /C calc'!A0", "@SUM(A1)", "+cmd", "-cmd", "-", "+1+1",
                             "-2-3", "=5", "\t=1", "\r=1"})
        EXPECT_TRUE(is_formula(cell)) << cell;
    for (const auto* cell : {"", "ann", "-0.5", "+1", "-12", "1e5", "-1.5e3", "a=b", "'=1", " =1"})
        EXPECT_FALSE(is_formula(cell)) << cell;
}

TEST(Csv, QuotesAndMarksCells) {
    EXPECT_EQ(quoted_cell("a \"b\", c"), "\"a \"\"b\"\", c\"");
    EXPECT_EQ(csv_line({"a", "b,c", "say \"hi\"", ""}), "a,\"b,c\",\"say \"\"hi\"\"\",\n");
    EXPECT_EQ(csv_line({"=cmd|' /C calc'!A0", "@a,b", "-0.5", "+1", "ann"}),
              "'=cmd|' /C calc'!A0,\"'@a,b\",-0.5,+1,ann\n")
        << "no spreadsheet runs it";
    EXPECT_EQ(csv_line({"x;=1+1", "y\t=1"}), "\"x;=1+1\",\"y\t=1\"\n") << "nor splits it there";
}

}  // namespace
}  // namespace base
