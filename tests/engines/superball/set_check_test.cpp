// What sb-check-sets says of a sb-analyze's output.

#include "sample_bots/cpp/superball/tools/tool_texts.h"

#include <gtest/gtest.h>

#include <sstream>

namespace bots::superball::tools {
namespace {

const char* const handouts_board =
    "...yyryy.p\ny.rg.yppyp\n**gg.yrpPP\nGGgbgybp**\nR*bg.yrp*P\nG*gygyypY*\nyyybpby.pb\n.pgg.yp."
    "bb\n";

std::string mistake_in(const std::string& printed) {
    Rules rules;
    std::istringstream text(handouts_board);
    const auto board = read_board(rules, text);
    EXPECT_TRUE(board);
    return mistake_in_sets(rules, *board, printed);
}

const std::string ten = "  Size: 10  Char: p  Scoring Cell: 2,8\n";
const std::string six = "  Size:  6  Char: g  Scoring Cell: 3,0\n";

TEST(SetCheck, AnyOrderAndAnyGoalCellAreRight) {
    EXPECT_EQ(mistake_in("Scoring sets:\n" + ten + six), "");
    EXPECT_EQ(mistake_in("Scoring sets:\n" + six + ten), "");
    EXPECT_EQ(mistake_in("Scoring sets:\n  Size: 10  Char: p  Scoring Cell: 2,9\n"
                         "  Size:  6  Char: g  Scoring Cell: 3,1\n"),
              "");
}

TEST(SetCheck, BlanksCountForNothing) {
    EXPECT_EQ(mistake_in("\nScoring sets: \r\nSize:10 Char:p Scoring Cell:2,8\r\n\n" + six + "\n"),
              "");
}

TEST(SetCheck, TheFirstMistakeIsTold) {
    struct Case {
        std::string printed;
        std::string mistake;
    };
    const std::string begin = "Scoring sets:\n";
    const std::vector<Case> cases{
        {"", "nothing was printed: expected \"Scoring sets:\""},
        {ten + six,
         "line 1 is \"  Size: 10  Char: p  Scoring Cell: 2,8\": expected \"Scoring sets:\""},
        {begin + ten, "the set of 6 'g' at the goal cell 3,0 is missing"},
        {begin + ten + six + ten,
         "the set of 10 'p' at the goal cell 2,8 is named twice, on the lines 2 and 4"},
        {begin + ten + "  Size:  6  Char: g  Scoring Cell: 3,1\n" + six,
         "the set of 6 'g' at the goal cell 3,0 is named twice, on the lines 3 and 4"},
        {begin + "  Size:  9  Char: p  Scoring Cell: 2,8\n" + six,
         "line 2 says that the set at the cell 2,8 has 9 'p': expected 10 'p'"},
        {begin + "  Size: 10  Char: g  Scoring Cell: 2,8\n" + six,
         "line 2 says that the set at the cell 2,8 has 10 'g': expected 10 'p'"},
        {begin + "  Size: 10  Char: p  Scoring Cell: 1,9\n",
         "line 2 names the cell 1,9, which is no goal cell"},
        {begin + "  Size: 10  Char: p  Scoring Cell: 8,8\n",
         "line 2 names the cell 8,8, which is not on the board"},
        {begin + "  Size: 10  Char: p  Scoring Cell: 2,0\n",
         "line 2 names the cell 2,0, which is empty"},
        {begin + "  Size:  1  Char: r  Scoring Cell: 4,0\n",
         "line 2 names the cell 4,0, whose set of 1 is too small to be scored"},
        {begin + ten + "six green ones\n",
         "line 3 is no set: expected e.g. \"  Size: 10  Char: p  Scoring Cell: 2,8\", found \"six "
         "green ones\""},
        {begin + "  Size: 10  Char: p  Scoring Cell: 2;8\n",
         "line 2 is no set: expected e.g. \"  Size: 10  Char: p  Scoring Cell: 2,8\", found \"  "
         "Size: 10  Char: p  Scoring Cell: 2;8\""},
    };
    for (const auto& [printed, mistake] : cases) EXPECT_EQ(mistake_in(printed), mistake);
}

}  // namespace
}  // namespace bots::superball::tools
