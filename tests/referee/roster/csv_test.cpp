#include "referee/roster/csv.h"

#include <gtest/gtest.h>

namespace referee::roster {
namespace {

using Cells = std::vector<std::string>;

TEST(Csv, ReadsWhatSpreadsheetsWrite) {
    for (const std::string text : {
             "name,team\nann,red\nbob,\n",
             "name,team\r\nann,red\r\nbob,\r\n",
             "name,team\rann,red\rbob,",
             "\xEF\xBB\xBFname;team\r\nann;red\r\nbob;\r\n",
             "name\tteam\nann\tred\nbob\t\n",
             "\n\nname,team\n,\nann , red\n\n \"bob\" ,\"\"\n,\n",
             "\"name\",\"team\"\n\"ann\",\"red\"\n\"bob\",\"\"",
         }) {
        const auto table = parse_csv(text);
        ASSERT_TRUE(table) << text << describe(table.error().front(), "f");
        EXPECT_EQ(table->header.cells, (Cells{"name", "team"})) << text;
        ASSERT_EQ(table->rows.size(), 2U) << text;
        EXPECT_EQ(table->rows[0].cells, (Cells{"ann", "red"})) << text;
        EXPECT_EQ(table->rows[1].cells, (Cells{"bob", ""})) << text;
    }
}

TEST(Csv, AQuotedCellHoldsAnything) {
    const auto table = parse_csv("name;note\nann;\"a;b, \"\"c\"\"\nd\"\nbob;x\n");
    ASSERT_TRUE(table);
    EXPECT_EQ(table->rows[0].cells[1], "a;b, \"c\"\nd");
    EXPECT_EQ(table->rows[1].line, 4U) << "lines inside of a cell count";
}

TEST(Csv, WhatIsWrittenReadsAsTheSame) {
    for (const char separator : {',', ';', '\t'}) {
        CsvTable table;
        table.dialect = {separator, separator == ';', separator == ';'};
        table.header.cells = {"name", "note", "other"};
        table.rows.push_back({0, {"ann", "a,b;c\td", " spaces "}});
        table.rows.push_back({0, {"b\"o\"b", "two\nlines", "\xC3\xA9"}});
        const auto again = parse_csv(write_csv(table));
        ASSERT_TRUE(again) << write_csv(table);
        EXPECT_EQ(again->dialect.separator, separator);
        EXPECT_EQ(again->dialect.byte_order_mark, table.dialect.byte_order_mark);
        EXPECT_EQ(again->dialect.carriage_returns, table.dialect.carriage_returns);
        EXPECT_EQ(again->header.cells, table.header.cells);
        for (std::size_t i = 0; i < table.rows.size(); ++i)
            EXPECT_EQ(again->rows[i].cells, table.rows[i].cells);
        EXPECT_EQ(write_csv(*again), write_csv(table));
    }
}

TEST(Csv, SaysWhatIsWrongAndWhere) {
    struct Case {
        std::string text;
        std::size_t line;
        const char* says;
    };
    for (const auto& [text, line, says] : {
             Case{"name,team\nann\n", 2, "expected 2 cells, as the header in line 1 has, found 1"},
             Case{"name\nann,red\n", 2, "found 2"},
             Case{"name\nann\n\"bob\n\ncarl\n", 3, "never ends"},
             Case{"name\nan\"n\n", 2, "inside a cell"},
             Case{"name\n\"ann\"x\n", 2, "behind the quote"},
             Case{"name\nann\nb\xFF\n", 3, "UTF-8"},
             Case{std::string("na\0me", 5), 1, "zero byte"},
             Case{std::string(csv_bytes_max + 1, 'x'), 0, "class"},
         }) {
        const auto table = parse_csv(text);
        ASSERT_FALSE(table) << text.substr(0, 40);
        EXPECT_EQ(table.error().front().line, line) << text.substr(0, 40);
        EXPECT_NE(table.error().front().message.find(says), std::string::npos)
            << table.error().front().message;
    }
}

TEST(Csv, AllRowsThatAreWrongAreTold) {
    const auto table = parse_csv("name,team\na\nb,c\nd\n");
    ASSERT_FALSE(table);
    ASSERT_EQ(table.error().size(), 2U);
    EXPECT_EQ(describe(table.error()[1], "class.csv").substr(0, 12), "class.csv:4:");
}

}  // namespace
}  // namespace referee::roster
