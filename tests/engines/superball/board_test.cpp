#include "engines/superball/board.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using engines::superball::Board;
using engines::superball::Cell;
using engines::superball::no_piece;
using engines::superball::Rules;

Rules board_rules(int rows, int cols) {
    Rules rules;
    rules.rows = rows;
    rules.cols = cols;
    return rules;
}

TEST(superball_board, goal_cells_for_each_size) {
    struct Case {
        int rows, cols;
        const char* text;
    };
    const Case cases[] = {
        {8, 10,
         "..........\n..........\n**......**\n**......**\n**......**\n**......**\n..........\n....."
         ".....\n"},
        {5, 5, ".....\n.....\n**.**\n.....\n.....\n"},
        {4, 6, "......\n......\n......\n......\n"},
        {1, 3, "...\n"},
        {6, 4, "....\n....\n****\n****\n....\n....\n"},
        {5, 3, "...\n...\n***\n...\n...\n"},
        {6, 2, "..\n..\n**\n**\n..\n..\n"},
        {4, 1, ".\n.\n.\n.\n"},
        {5, 1, ".\n*\n*\n*\n.\n"},
        {7, 1, ".\n*\n*\n*\n*\n*\n.\n"},
    };
    for (const auto& c : cases)
        EXPECT_EQ(Board(board_rules(c.rows, c.cols)).text(), c.text) << c.rows << "x" << c.cols;
}

TEST(superball_board, letters_tell_pieces_and_goal_cells) {
    Board board(board_rules(5, 3));
    EXPECT_EQ(board.empty(), 15);
    board.put(board.number({2, 0}), 4);
    board.put(board.number({0, 1}), 0);
    EXPECT_EQ(board.text(), ".p.\n...\nG**\n...\n...\n");
    EXPECT_EQ(board.empty(), 13);
    board.swap(board.number({2, 0}), board.number({0, 1}));
    EXPECT_EQ(board.text(), ".g.\n...\nP**\n...\n...\n");
    board.put(board.number({0, 1}), no_piece);
    board.put(board.number({0, 1}), no_piece);
    EXPECT_EQ(board.empty(), 14);
}

TEST(superball_board, colours_are_worth_two_and_up) {
    EXPECT_EQ(engines::superball::value_of(0), 2);
    EXPECT_EQ(engines::superball::value_of(4), 6);
    EXPECT_EQ(engines::superball::value_of(25), 27);
}

TEST(superball_board, groups_connect_in_four_directions_and_not_around_edges) {
    Board board(board_rules(4, 4));
    const char* rows[] = {"pp.p", ".pb.", "p.pp", "bppb"};
    for (int row = 0; row < 4; ++row) ASSERT_TRUE(board.set_row(row, rows[row]));
    const auto group = [&](Cell cell) {
        auto found = board.group(board.number(cell));
        std::sort(found.begin(), found.end());
        return found;
    };
    EXPECT_EQ(group({0, 0}), (std::vector<int>{0, 1, 5}));
    EXPECT_EQ(group({0, 3}), (std::vector<int>{3}));
    EXPECT_EQ(group({1, 2}), (std::vector<int>{6}));
    EXPECT_EQ(group({2, 0}),
              (std::vector<int>{8}));  // (1, 3) before it in the numbering is no neighbour
    EXPECT_EQ(group({3, 1}), (std::vector<int>{10, 11, 13, 14}));
    EXPECT_EQ(group({3, 3}), (std::vector<int>{15}));
}

TEST(superball_board, rows_are_read_as_written_or_refused_whole) {
    Board board(board_rules(5, 4));
    ASSERT_TRUE(board.set_row(0, "p.*G"));
    EXPECT_EQ(board.text().substr(0, 5), "p.*G\n");
    EXPECT_TRUE(board.is_goal(2));
    EXPECT_TRUE(board.is_goal(3));
    EXPECT_FALSE(board.is_goal(0));
    for (const char* bad : {"", "p.*", "p.*G.", "p.*z", "p.*#", "p.* "}) {
        EXPECT_FALSE(board.set_row(0, bad)) << bad;
        EXPECT_EQ(board.text().substr(0, 5), "p.*G\n");
    }
    EXPECT_EQ(board.empty(), 18);
}

}  // namespace
