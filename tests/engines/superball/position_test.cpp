#include <gtest/gtest.h>

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
}

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

// The move in its plain form, "blank", or "bad".
std::string read(std::string_view text) {
    const auto parsed = parse_move(text);
    if (const auto* swap = std::get_if<Swap>(&parsed)) return to_text(*swap);
    if (const auto* collect = std::get_if<Collect>(&parsed)) return to_text(*collect);
    if (std::holds_alternative<BlankMove>(parsed)) return "blank";
    const auto& message = std::get<BadMove>(parsed).message;
    EXPECT_NE(
        message.find("SWAP") == std::string::npos && message.find("SCORE") == std::string::npos,
        true);
    return "bad";
}

TEST(superball_move, what_a_line_means) {
    using namespace std::string_view_literals;
    struct Case {
        std::string_view text;
        const char* meaning;
    };
    const Case cases[] = {
        {"SWAP 0 1 7 2", "SWAP 0 1 7 2"},
        {"SCORE 5 0", "SCORE 5 0"},
        {"  SWAP\t0\n1\v7\f2\r\n", "SWAP 0 1 7 2"},
        {"SCORE   5   0   ", "SCORE 5 0"},
        // what %d reads at the start of a word
        {"SCORE 03 +3", "SCORE 3 3"},
        {"SCORE 3, 3)", "SCORE 3 3"},
        {"SCORE 3x 4.9", "SCORE 3 4"},
        {"SCORE 0x10 010", "SCORE 0 10"},
        {"SCORE -0 1e2", "SCORE 0 1"},
        {"SCORE -5 0", "SCORE -5 0"},
        {"SCORE 3\0 4"sv, "SCORE 3 4"},
        {"SCORE 2147483647 -2147483648", "SCORE 2147483647 -2147483648"},
        {"SWAP 0,1 2,3 4,5 6,7", "SWAP 0 2 4 6"},
        // no number, or none that an int holds
        {"SCORE 2147483648 0", "bad"},
        {"SCORE 0 -2147483649", "bad"},
        {"SCORE 4294967296 0", "bad"},
        {"SCORE 99999999999999999999999999 0", "bad"},
        {"SCORE a 0", "bad"},
        {"SCORE ,3 0", "bad"},
        {"SCORE (3 0", "bad"},
        {"SCORE - 0", "bad"},
        {"SCORE + 0", "bad"},
        {"SCORE +-3 0", "bad"},
        {"SCORE -+3 0", "bad"},
        {"SCORE ++3 0", "bad"},
        {"SCORE \xC2\xA0 3", "bad"},
        // exactly 5 words or 3
        {"SWAP", "bad"},
        {"SWAP 0 1 7", "bad"},
        {"SWAP 0 1 7 2 9", "bad"},
        {"SWAP 0 1 7 2 # comment", "bad"},
        {"SCORE 5", "bad"},
        {"SCORE 5 0 1", "bad"},
        {"SCORE 5 0 ;", "bad"},
        {"SCORE", "bad"},
        {"SCORE 5,0", "bad"},
        // the first word
        {"swap 0 1 7 2", "bad"},
        {"Score 5 0", "bad"},
        {"SWAP, 0 1 7 2", "bad"},
        {"SWAPS 0 1 7 2", "bad"},
        {"MOVE 0 1 7 2", "bad"},
        {"0 1 7 2", "bad"},
        {"\"SCORE\" 5 0", "bad"},
        {"SCORE\0 5 0"sv, "bad"},
        // nothing
        {"", "blank"},
        {" ", "blank"},
        {"\n", "blank"},
        {" \t\r\n\v\f ", "blank"},
        {"\0"sv, "bad"},
    };
    for (const auto& c : cases) EXPECT_EQ(read(c.text), c.meaning) << "'" << c.text << "'";
}

TEST(superball_move, messages_repeat_what_was_written_but_not_all_of_it) {
    const auto message = [](const std::string& text) {
        return std::get<BadMove>(parse_move(text)).message;
    };
    EXPECT_EQ(message("swap 0 1 7 2"),
              "a move begins with SWAP or SCORE, in capitals, not with 'swap'");
    EXPECT_EQ(message("SCORE 5 x"),
              "'x' does not begin with the number of a row or column; expected 'SCORE r c', such "
              "as 'SCORE 5 0'");
    EXPECT_EQ(message("SWAP 1 2"),
              "SWAP takes 4 numbers, and 2 words follow it; expected 'SWAP r1 c1 r2 c2', such as "
              "'SWAP 0 1 7 2'");
    EXPECT_LT(message(std::string(60000, 'x')).size(), 200U);
    EXPECT_EQ(message("\xC3\xA9\x01"),
              "a move begins with SWAP or SCORE, in capitals, not with '...'");
}

}  // namespace
