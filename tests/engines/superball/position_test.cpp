#include <gtest/gtest.h>

#include <cstdlib>

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
