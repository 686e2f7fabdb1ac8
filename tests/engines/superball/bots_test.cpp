#include <gtest/gtest.h>

#include "engines/superball/position.h"
#include "sample_bots/cpp/superball/champion/search.h"
#include "sample_bots/cpp/superball/players.h"
#include "tests/engines/conformance/driver.h"

namespace {

using namespace bots::superball;
using engines::superball::Position;
using engines::superball::Rules;

using ChooseMove = Move (*)(const Board& board, std::uint64_t min_score_size);

struct Level {
    const char* name;
    ChooseMove choose;
};
const Level levels[] = {{"random", random_move},
                        {"level2", grouping_move},
                        {"level3", goal_move},
                        {"champion", champion_move}};

Rules sized(int rows, int cols, std::uint64_t min_score_size, const char* colors) {
    Rules rules;
    rules.rows = rows;
    rules.cols = cols;
    rules.min_score_size = min_score_size;
    rules.colors = colors;
    return rules;
}

// The score after so many turns, or at the end; every move must be legal.
std::int64_t play(const Rules& rules, std::uint32_t seed, ChooseMove choose, int turns_max) {
    Position game(rules, seed);
    for (int turn = 0; turn < turns_max && !game.full(); ++turn) {
        const auto move = choose(game.board(), rules.min_score_size);
        const auto checked = game.check(move);
        if (!checked) {
            ADD_FAILURE() << engines::superball::to_text(move) << ": " << checked.error() << "\n"
                          << game.board().text();
            break;
        }
        game.play(move);
    }
    return game.score();
}

TEST(superball_bots, play_legal_moves_on_every_kind_of_board) {
    const Rules kinds[] = {
        sized(8, 10, 5, "pbyrg"), sized(1, 5, 5, "pb"),         sized(5, 1, 1, "a"),
        sized(5, 2, 2, "ab"),     sized(9, 3, 4, "abc"),        sized(12, 12, 7, "abcdefghijkl"),
        sized(6, 6, 1, "a"),      sized(10, 11, 5, "pbyrgxwz"), sized(7, 9, 1000, "pbyrg"),
    };
    for (const auto& rules : kinds) {
        for (const auto& level : levels) {
            SCOPED_TRACE(std::string(level.name) + " " + std::to_string(rules.rows) + "x" +
                         std::to_string(rules.cols));
            for (std::uint32_t seed = 1; seed <= 2; ++seed) play(rules, seed, level.choose, 60);
        }
    }
}

TEST(superball_bots, cope_with_the_largest_board) {
    const auto rules = sized(100, 100, 5, "abcdefghijklmnopqrstuvwxyz");
    Board board(rules);
    tests::Random random(4);
    for (int cell = 0; cell < board.size(); ++cell) {
        if (random.chance(90)) board.put(cell, static_cast<Color>(random.below(26)));
    }
    const Position game(rules, board, engines::superball::Random48(1));
    for (const auto& level : levels) {
        EXPECT_TRUE(game.check(level.choose(board, 5))) << level.name;
    }
}

TEST(superball_bots, fields_agree_with_groups) {
    tests::Random random(31);
    for (const auto& rules : {sized(8, 10, 5, "pbyrg"), sized(5, 1, 2, "ab"), sized(3, 7, 2, "abc"),
                              sized(10, 11, 5, "ab")}) {
        for (int i = 0; i < 20; ++i) {
            Board board(rules);
            for (int cell = 0; cell < board.size(); ++cell) {
                if (random.chance(70)) {
                    board.put(cell, static_cast<Color>(random.below(rules.colors.size())));
                }
            }
            ASSERT_TRUE(champion::Field::fits(board));
            const champion::Field field(board);
            const auto pieces = champion::pieces_on(board, field);
            EXPECT_EQ(champion::count(field.all() & ~pieces.taken()), board.empty());
            const Grouping grouping(board);
            for (int cell = 0; cell < board.size(); ++cell) {
                EXPECT_EQ(field.cell(field.place(cell)), cell);
                if (board.is_empty(cell)) continue;
                const auto own = pieces.of[static_cast<std::size_t>(board.at(cell))];
                const auto group = field.connected(champion::bit(field.place(cell)), own);
                const auto& known =
                    grouping.groups()[static_cast<std::size_t>(grouping.group_of(cell))];
                ASSERT_EQ(champion::count(group), known.size);
                ASSERT_EQ(field.zone(group), std::min(known.goal_distance, champion::zones - 1));
            }
        }
    }
    EXPECT_FALSE(champion::Field::fits(Board(sized(8, 16, 5, "ab"))));
    EXPECT_FALSE(champion::Field::fits(Board(sized(8, 10, 5, "abcdefghi"))));
}

}  // namespace
