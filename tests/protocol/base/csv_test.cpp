#include <gtest/gtest.h>

#include "protocol/base/csv.h"

namespace base {
namespace {

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
}

}  // namespace
}  // namespace base
