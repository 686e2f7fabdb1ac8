// What a setup may be, and by which row and column it is refused.

#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "engines/snake_labyrinth/snake_labyrinth.h"
#include "tests/engines/conformance/driver.h"
#include "tests/engines/snake_labyrinth/game.h"
#include "tests/json.h"

namespace {

using nlohmann::json;
using Rows = std::vector<std::string>;

TEST(Setup, RefusesByMemberAndReason) {
    tests::expect_refused(*tests::snake_game, R"rows(
        {} -> params: neither
        {"board": ["o_"], "maze": "handout"} -> params: both
        {"board": ["o_"], "size": 5} -> params.size: no such member
        {"board": ["o_"], "a\nb": 5} -> params.(a name)
        {"board": "o_"} -> params.board: found "o_"
        {"board": null} -> params.board: found null
        {"board": []} -> params.board: at least one row
        {"board": ["o_", 5]} -> params.board[1]: expected a string of cells, found 5
        {"board": [""]} -> params.board[0]: row 0: is empty
        {"board": ["o _", "# "]} -> params.board[1]: row 1, column 2: all rows are equally long
        {"board": ["o _", "####"]} -> params.board[1]: row 1, column 3: all rows are equally long
        {"board": ["o _", "#x#"]} -> params.board[1]: row 1, column 1: 'x' is no cell
        {"board": ["o t_"]} -> params.board[0]: row 0, column 2: 't' is no cell
        {"board": ["0 _"]} -> params.board[0]: row 0, column 0: '0' is no cell
        {"board": ["o _", "#°"]} -> params.board[1]: row 1, column 1: the byte 0xC2 is no cell
        {"board": ["o\t_"]} -> params.board[0]: row 0, column 1: the byte 0x09 is no cell
        {"board": ["# _"]} -> params.board: exactly one start 'o', and here is none
        {"board": ["o _", " # ", "# o"]}
            -> params.board[2]: row 2, column 2: a second start 'o'; the first is at row 0, column 0
        {"board": ["o  "]} -> params.board: at least one exit '_'
        {"maze": 1} -> params.maze: expected the name of a maze
        {"maze": "nowhere"} -> params.maze: no maze of that name; there are handout
        {"board": ["o_"], "level": "challenge4"} -> params.level: expected one of "challenge1"
        {"board": ["o_"], "level": 1} -> params.level: found 1
        {"board": ["o_"], "max_steps": 0} -> params.max_steps: at least 1, such as 1000, found 0
        {"board": ["o_"], "on_illegal": "die"} -> params.on_illegal: "stay", "void", found "die"
    )rows");
}

// A line each: a name, the board's rows, and where the promises of challenge1 and of challenge2 and
// 3 are broken first; "-" where one is kept. What is indented goes on with its line.
const char* const promise_cases = R"(
CoinsOnly|######/o $  #/#    _/######|-|-
TheHandoutsTinyLabyrinth|#####/o $ _/#####|-|-
ADeadEndIsNothingToChallenge1|######/o $  #/#_####|-|1,4: a dead end
ASpaceOnTheEdge|#####/o   _/## ##|2,2: a cell of the edge|2,2: a cell of the edge
ACoinOnTheEdge|##$##/o   _/#####|0,2: a cell of the edge|0,2: a cell of the edge
AMishapOnTheEdge|#####/o   _/####!|2,4: a cell of the edge|2,4: a cell of the edge
TheStartInside|#####/#o  _/#####|
    1,1: the start 'o' stands on the edge|1,1: the start 'o' stands on the edge
AnExitInside|#####/o _ _/#####|1,2: exits '_' stand on the edge|1,2: exits '_' stand on the edge
AMishap|######/o !  #/#    _/######|1,2: inside there are only spaces|-
ADrill|######/o    #/#  T _/######|2,3: inside there are only spaces|-
AnInnerWall|#####/o   #/# # #/#   _/#####|2,2: inside there are only spaces|-
AWallBesideTheEdge|######/o #  #/#    #/#    _/######|
    1,2: inside there are only spaces|1,2: an inner wall '#' stands next to the edge
AWallAtACornerOfTheEdge|######/o    #/#    #/#   #_/######|
    3,4: inside there are only spaces|3,4: an inner wall '#' stands next to the edge
ADeadEnd|#########/o       #/# ##### #/#    ## #/# ##### #/#       _/#########|
    2,2: inside there are only spaces|3,4: a dead end: the cell is open on 1 side,
AHollowBlockIsNotReached|#########/o       #/# ##### #/# # $ # #/# ##### #/#       _/#########|
    2,2: inside there are only spaces|-
ACellReachedOnlyThroughAnExitIsNotReached|o_####/##   #/# ## #/######|
    1,1: inside there are only spaces|1,1: an inner wall '#' stands next to the edge
AnExitAndTheStartAreOpenSides|#####/o $ _/##_##|-|-
OneCellBehindTheExit|o_#/# #/###|-|-
)";

std::vector<std::string> split(const std::string& text, char at) {
    std::istringstream stream(text);
    std::vector<std::string> parts;
    for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
    return parts;
}

TEST(Promise, OfEachLevel) {
    const auto joined = std::regex_replace(promise_cases + 1, std::regex("\n    "), "");
    for (const auto& line : split(joined, '\n')) {
        SCOPED_TRACE(line);
        const auto parts = split(line, '|');
        ASSERT_EQ(parts.size(), 4U);
        const auto expect = [&](const std::string& level, const std::string& broken) {
            SCOPED_TRACE(level);
            const json params = {{"board", split(parts[1], '/')}, {"level", level}};
            const auto accepted = tests::accepts(*tests::snake_game, params.dump());
            ASSERT_EQ(accepted.has_value(), broken == "-");
            if (accepted) return;
            const auto& [member, message] = accepted.error();
            const auto place = split(broken.substr(0, broken.find(':')), ',');
            EXPECT_EQ(member, "params.board[" + place[0] + "]");
            EXPECT_TRUE(message.starts_with("row " + place[0] + ", column " + place[1] +
                                            broken.substr(broken.find(':'))))
                << message;
            EXPECT_NE(message.find("(level " + level + ")"), std::string::npos) << message;
        };
        expect("challenge1", parts[2]);
        expect("challenge2", parts[3]);
        expect("challenge3", parts[3]);
        expect("final", "-");
    }
}

TEST(Setup, DefaultsAreFilledIn) {
    EXPECT_EQ(
        tests::full_params(*tests::snake_game, R"({"board": ["#####", "o $ _", "#####"]})"),
        R"({"board":["#####","o $ _","#####"],"level":"final","max_steps":1000,"on_illegal":"stay"})");
    EXPECT_EQ(
        tests::full_params(*tests::snake_game,
                           R"({"max_steps": 7, "on_illegal": "void", "level": "challenge1",
                                            "board": ["#####", "o $ _", "#####"]})"),
        R"({"board":["#####","o $ _","#####"],"level":"challenge1","max_steps":7,"on_illegal":"void"})");
}

// A replay needs no collection of mazes.
TEST(Setup, ANamedMazeIsFilledInAsItsBoard) {
    const auto full = json::parse(
        tests::full_params(*tests::snake_game, R"({"maze": "handout", "max_steps": 50})"));
    EXPECT_FALSE(full.contains("maze"));
    EXPECT_EQ(full.at("board").size(), 10U);
    EXPECT_EQ(full.at("board").at(3), "#    #   !  #   $ #");
    EXPECT_EQ(full.at("level"), "final");
    EXPECT_EQ(full.at("max_steps"), 50);
}

TEST(Setup, AMazeIsPlayedAtTheParamsLevel) {
    const auto accepted =
        tests::accepts(*tests::snake_game, R"({"maze": "handout", "level": "challenge1"})");
    ASSERT_FALSE(accepted);
    EXPECT_EQ(accepted.error().member, "params.maze");
    EXPECT_TRUE(
        accepted.error().message.starts_with("row 1, column 5: inside there are only spaces"))
        << accepted.error().message;
}

std::string square_board(std::size_t rows, std::size_t columns) {
    Rows board(rows, std::string(columns, ' '));
    board.front().front() = 'o';
    board.back().back() = '_';
    return json{{"board", board}}.dump();
}

TEST(Setup, BoardsOf256By256AreTheLargest) {
    EXPECT_TRUE(tests::start(*tests::snake_game, square_board(256, 256)));
    EXPECT_TRUE(tests::start(*tests::snake_game, square_board(256, 2)));
    EXPECT_TRUE(tests::start(*tests::snake_game, square_board(1, 256)));
    const auto high = tests::accepts(*tests::snake_game, square_board(257, 4));
    ASSERT_FALSE(high);
    EXPECT_EQ(high.error().message, "row 256: a board has at most 256 rows, and here are 257");
    const auto wide = tests::accepts(*tests::snake_game, square_board(4, 257));
    ASSERT_FALSE(wide);
    EXPECT_EQ(wide.error().member, "params.board[0]");
    EXPECT_EQ(wide.error().message,
              "row 0, column 256: a row has at most 256 cells, and here are 257");
}

TEST(Setup, TheLargestLimitOfStepsIsTaken) {
    const auto state =
        tests::start(*tests::snake_game, R"({"board": ["o_"], "max_steps": 9223372036854775807})");
    ASSERT_TRUE(state);
    EXPECT_FALSE(state->over());
}

TEST(Person, TypesSmallLettersAndBlanks) {
    EXPECT_EQ(tests::snake_game->move_from_text("eeSS"), R"("EESS")");
    EXPECT_EQ(tests::snake_game->move_from_text(" n o \r"), R"("NO")");
    EXPECT_FALSE(tests::snake_game->move_from_text(""));
    EXPECT_FALSE(tests::snake_game->move_from_text("  "));
    EXPECT_FALSE(tests::snake_game->move_from_text("ew"));
    EXPECT_FALSE(tests::snake_game->move_from_text("\xff\xfe"));
}

}  // namespace
