#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "engines/superball/position.h"

namespace {

using namespace engines::superball;

Rules sized(int rows, int cols, std::uint64_t min_score_size = 5) {
    Rules rules;
    rules.rows = rows;
    rules.cols = cols;
    rules.min_score_size = min_score_size;
    return rules;
}

// Empty where the move can be played.
std::string reason_of(const base::Result<void, std::string>& checked) {
    return checked ? "" : checked.error();
}

Position position(const Rules& rules, std::vector<const char*> rows, std::uint32_t seed = 1) {
    Board board(rules);
    for (int i = 0; i < rules.rows; ++i) {
        EXPECT_TRUE(board.set_row(i, rows[static_cast<std::size_t>(i)]));
    }
    return {rules, board, Random48(seed)};
}

// The page's words once more, with the C library's generator: a cell until it is empty, then its
// colour.
void deal(std::string& cells, int pieces, const std::string& colors) {
    for (int i = 0; i < pieces && cells.find('.') != std::string::npos; ++i) {
        std::size_t cell = 0;
        do {
            cell = static_cast<std::size_t>(lrand48()) % cells.size();
        } while (cells[cell] != '.');
        cells[cell] = colors[static_cast<std::size_t>(lrand48()) % colors.size()];
    }
}

std::string cells_of(const Board& board) {
    std::string cells;
    for (int i = 0; i < board.size(); ++i) {
        const char letter = board.letter(i);
        cells += letter == '*' ? '.' : static_cast<char>(std::tolower(letter));
    }
    return cells;
}

TEST(superball_position, deals_as_the_original_does) {
    struct Case {
        int rows, cols;
        const char* colors;
    };
    for (const Case& c :
         {Case{8, 10, "pbyrg"}, Case{3, 3, "a"}, Case{20, 7, "abcdefghijklmnopqrstuvwxyz"}}) {
        for (std::uint32_t seed = 0; seed < 50; ++seed) {
            auto rules = sized(c.rows, c.cols);
            rules.colors = c.colors;
            Position game(rules, seed);
            srand48(static_cast<long>(seed));
            std::string expected(static_cast<std::size_t>(c.rows * c.cols), '.');
            deal(expected, 5, c.colors);
            while (!game.full()) {
                ASSERT_EQ(cells_of(game.board()), expected) << "seed " << seed;
                const auto a = expected.find_first_not_of('.');
                const auto b = expected.find_first_not_of('.', a + 1);
                game.play(Swap{game.board().cell(static_cast<int>(a)),
                               game.board().cell(static_cast<int>(b))});
                std::swap(expected[a], expected[b]);
                deal(expected, 5, c.colors);
            }
            EXPECT_EQ(cells_of(game.board()), expected);
        }
    }
}

TEST(superball_position, three_pieces_come_after_a_score_and_five_after_a_swap) {
    const auto rules = sized(5, 6);
    auto game = position(rules, {"p.....", "p.....", "PP..**", "p.....", "......"});
    game.play(Collect{{2, 1}});
    EXPECT_EQ(game.score(), 5 * 2);
    EXPECT_EQ(game.board().empty(), 30 - 3);
    game = position(rules, {"p....b", "......", "**..**", "......", "......"});
    game.play(Swap{{0, 0}, {0, 5}});
    EXPECT_EQ(game.board().letter(0), 'b');
    EXPECT_EQ(game.board().letter(5), 'p');
    EXPECT_EQ(game.board().empty(), 30 - 7);
    EXPECT_EQ(game.score(), 0);
}

TEST(superball_position, score_is_size_times_value) {
    auto rules = sized(5, 4, 2);
    for (const auto& [letter, value] :
         {std::pair('p', 2), {'b', 3}, {'y', 4}, {'r', 5}, {'g', 6}}) {
        std::string row = "****";
        row[0] = row[1] = static_cast<char>(std::toupper(letter));
        auto game = position(rules, {"....", "....", row.c_str(), "....", "...."});
        game.play(Collect{{2, 0}});
        EXPECT_EQ(game.score(), 2 * value);
    }
}

TEST(superball_position, full_when_a_piece_has_no_cell) {
    const auto rules = sized(5, 2, 2);
    // Exactly full after the swap: the game goes on.
    auto game = position(rules, {"pb", "pb", "P*", "..", ".."});
    game.play(Swap{{0, 0}, {0, 1}});
    EXPECT_EQ(game.board().empty(), 0);
    EXPECT_FALSE(game.full());
    // Another swap is legal, and the last.
    EXPECT_TRUE(game.check(Swap{{0, 0}, {0, 1}}));
    game.play(Swap{{0, 0}, {0, 1}});
    EXPECT_TRUE(game.full());
    EXPECT_EQ(game.board().empty(), 0);
    // Four empty cells take four pieces; the fifth ends the game.
    game = position(rules, {"pb", "pb", "PB", "..", ".."});
    game.play(Swap{{0, 0}, {0, 1}});
    EXPECT_TRUE(game.full());
    // A score on a full board frees cells for the three.
    game = position(rules, {"pb", "pb", "PB", "yy", "gg"});
    game.play(Collect{{2, 0}});
    EXPECT_FALSE(game.full());
    EXPECT_EQ(game.board().empty(), 0);
    // A group of two leaves too little room for three.
    game = position(rules, {"gb", "pb", "PB", "yy", "gg"});
    game.play(Collect{{2, 0}});
    EXPECT_TRUE(game.full());
    EXPECT_EQ(game.score(), 4);
}

TEST(superball_position, tiny_boards_are_full_at_once) {
    for (const auto& [rows, cols] : {std::pair(1, 1), {2, 2}, {1, 4}}) {
        const Position game(sized(rows, cols), 1);
        EXPECT_TRUE(game.full());
        EXPECT_EQ(game.board().empty(), 0);
    }
    const Position five(sized(1, 5), 1);
    EXPECT_FALSE(five.full());
    EXPECT_EQ(five.board().empty(), 0);
}

TEST(superball_position, what_is_refused) {
    const auto game = position(sized(5, 6), {"p....b", "b....p", "BB..PP", "b.p..p", "b....p"});
    struct Case {
        Move move;
        const char* reason;
    };
    const Case cases[] = {
        {Swap{{0, 0}, {0, 5}}, nullptr},
        {Swap{{0, 5}, {0, 0}}, nullptr},
        {Swap{{2, 0}, {2, 1}}, nullptr},  // equal colours may be swapped
        {Swap{{0, 0}, {0, 0}}, "row 0, column 0 can't be swapped with itself"},
        {Swap{{0, 1}, {0, 0}}, "row 0, column 1 is empty; a piece is needed there"},
        {Swap{{0, 0}, {0, 1}}, "row 0, column 1 is empty; a piece is needed there"},
        {Swap{{0, 1}, {0, 1}}, "row 0, column 1 is empty; a piece is needed there"},
        {Swap{{-1, 0}, {0, 0}},
         "row -1, column 0 is not on the board; rows go from 0 to 4, columns from 0 to 5"},
        {Swap{{0, 0}, {5, 0}},
         "row 5, column 0 is not on the board; rows go from 0 to 4, columns from 0 to 5"},
        {Swap{{0, 0}, {0, 6}},
         "row 0, column 6 is not on the board; rows go from 0 to 4, columns from 0 to 5"},
        {Collect{{2, 0}}, nullptr},
        {Collect{{2, 1}}, nullptr},
        {Collect{{2, 4}}, nullptr},
        {Collect{{1, 0}}, "row 1, column 0 is not a goal cell"},
        {Collect{{3, 2}}, "row 3, column 2 is not a goal cell"},
        {Collect{{2, 2}}, "row 2, column 2 is empty; a piece is needed there"},
        {Collect{{2, -1}},
         "row 2, column -1 is not on the board; rows go from 0 to 4, columns from 0 to 5"},
        {Collect{{1000000000, 2000000000}},
         "row 1000000000, column 2000000000 is not on the board; rows go from 0 to 4, columns from "
         "0 to 5"},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(reason_of(game.check(c.move)), c.reason == nullptr ? "" : c.reason)
            << to_text(c.move);
    }
    auto six = position(sized(5, 6, 6), {"p....b", "b....p", "BB..PP", "b.p..p", "b....p"});
    EXPECT_EQ(reason_of(six.check(Collect{{2, 0}})),
              "the group at row 2, column 0 has 5 pieces and needs 6");
    EXPECT_FALSE(can_collect(six.board(), six.board().number({2, 0}), 6));
    EXPECT_TRUE(can_collect(six.board(), six.board().number({2, 0}), 5));
    EXPECT_FALSE(can_collect(six.board(), six.board().number({1, 0}), 5));
    EXPECT_FALSE(can_collect(six.board(), six.board().number({2, 2}), 1));
}

}  // namespace

namespace {

using engines::superball::Random48;

// The C library's own generator, which the original game draws from.
TEST(random48, draws_what_the_c_library_draws) {
    for (const std::uint32_t seed :
         {0U, 1U, 2U, 100U, 65535U, 65536U, 0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFFU}) {
        srand48(static_cast<long>(seed));
        Random48 random(seed);
        for (int i = 0; i < 2000; ++i) {
            ASSERT_EQ(random.draw(), static_cast<std::uint32_t>(lrand48()))
                << "seed " << seed << ", draw " << i;
        }
    }
}

// Worked by hand from the formula: X = 0x1330E, X' = (0x5DEECE66D * X + 0xB) mod 2^48.
TEST(random48, first_draw_by_arithmetic) {
    constexpr std::uint64_t first = (0x5DEECE66DULL * 0x1330EULL + 0xBULL) % (1ULL << 48U);
    Random48 random(1);
    EXPECT_EQ(random.draw(), first >> 17U);
    EXPECT_EQ(Random48(1).draw(), 89400484U);
}

}  // namespace

namespace None {}  // namespace None
