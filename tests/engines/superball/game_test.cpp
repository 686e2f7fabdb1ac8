// A forfeit, how two outcomes compare, pictures, moves as people type them, rows as they are read.
// The rules are in tests/models.

#include <gtest/gtest.h>

#include "engines/superball/position.h"
#include "engines/superball/superball.h"
#include "tests/engines/conformance/driver.h"
#include "tests/json.h"
#include "tests/mistake_rows.h"

namespace {

using nlohmann::json;

const auto superball_game = engines::superball::make_game({});

// A legal swap of the first two pieces, as JSON text.
std::string any_swap(const engines::State& state) {
    const auto board = tests::state_json(state).at("board").get<std::vector<std::string>>();
    std::vector<std::string> cells;
    for (std::size_t r = 0; r < board.size(); ++r) {
        for (std::size_t c = 0; c < board[r].size(); ++c) {
            if (std::isalpha(board[r][c]))
                cells.push_back(std::to_string(r) + " " + std::to_string(c));
        }
    }
    return "\"SWAP " + cells.at(0) + " " + cells.at(1) + "\"";
}

// Plays seed 1 on a small board with one colour until the score passes 1000; gives the state then.
std::unique_ptr<engines::State> rich_game() {
    auto state =
        tests::start(*superball_game, R"({"colors":"a","min_score_size":1,"pace_us":0})", 1);
    while (tests::state_json(*state).at("score") < 1000) {
        const auto board = tests::state_json(*state).at("board").get<std::vector<std::string>>();
        std::string move = any_swap(*state);
        for (std::size_t r = 0; r < board.size(); ++r) {
            const auto c = board[r].find('A');
            if (c != std::string::npos) {
                move = "\"SCORE " + std::to_string(r) + " " + std::to_string(c) + "\"";
            }
        }
        EXPECT_TRUE(tests::play(*state, {move}).empty());
    }
    return state;
}

TEST(superball_state, forfeit_is_a_missing_move) {
    const auto state = rich_game();
    state->forfeit(0);
    EXPECT_TRUE(state->over());
    EXPECT_EQ(tests::state_json(*state).at("score"), 0);
    EXPECT_EQ(tests::outcome_json(*state).at("detail").at("ended_by"), "missing");
    EXPECT_EQ(tests::outcome_json(*state).at("scores").at(0), 0);
    const auto delta = tests::delta_json(*state);
    EXPECT_EQ(delta, json::parse(R"([{"op":"replace","path":"/score","value":0},
                                     {"op":"replace","path":"/over","value":true}])"));
}

TEST(superball_state, outcomes_compare_by_score) {
    const auto rich = rich_game();
    const auto poor = tests::start(*superball_game, "{}", 1);
    rich->forfeit(0);
    poor->forfeit(0);
    EXPECT_EQ(superball_game->compare(rich->outcome(), poor->outcome()),
              std::weak_ordering::equivalent);
    engines::Outcome better = poor->outcome();
    better.scores[0] = engines::Score::whole(1);
    EXPECT_EQ(superball_game->compare(better, poor->outcome()), std::weak_ordering::greater);
}

TEST(superball_text, shows_the_board_with_its_numbers) {
    const auto state = tests::start(*superball_game, R"({"rows":5,"cols":12})", 1);
    const auto text = state->render();
    EXPECT_TRUE(text.starts_with("Empty cells: 55   Score: 0\n     012345678901\n  0  ")) << text;
    const auto rows = tests::state_json(*state).at("board").get<std::vector<std::string>>();
    EXPECT_NE(text.find("\n  2  " + rows[2] + "\n"), std::string::npos) << text;
    EXPECT_TRUE(text.ends_with("\n  4  " + rows[4] + "\n")) << text;
    state->forfeit(0);
    EXPECT_NE(state->render().find("Game over (missing)"), std::string::npos);
}

TEST(superball_text, people_may_write_small_letters) {
    EXPECT_EQ(superball_game->move_from_text("swap 0 1  7 2"), "\"SWAP 0 1 7 2\"");
    EXPECT_EQ(superball_game->move_from_text(" Score 5, 0\n"), "\"SCORE 5 0\"");
    for (const char* line : {"", "  ", "help", "swap", "swap 1 2", "score x y", "\"SCORE 5 0\""}) {
        EXPECT_FALSE(superball_game->move_from_text(line)) << line;
    }
}

TEST(superball_text, people_are_told_what_is_wrong_alone) {
    EXPECT_NE(superball_game->move_from_text("swap 1 2").error().find("SWAP takes 4 numbers"),
              std::string::npos);
    EXPECT_EQ(superball_game->move_from_text("jump 1 2").error(),
              "expected SWAP r1 c1 r2 c2 or SCORE r c, found 'jump 1 2'");
    const auto state = tests::start(*superball_game, "{}", 1);
    const auto checked = tests::check(*state, 0, R"("SCORE 0 0")");
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().message, checked.error().reason + "; the game ends with score 0");
}

TEST(superball_text, a_wide_board_is_shown_in_parts) {
    const auto state = tests::start(*superball_game, R"({"rows":1,"cols":12})", 1);
    const auto row = tests::state_json(*state).at("board").at(0).get<std::string>();
    EXPECT_EQ(state->render_for(0, {13, 24}),
              "Empty cells: 7   Score: 0\n"
              "columns 0 to 7\n     01234567\n  0  " +
                  row.substr(0, 8) + "\ncolumns 8 to 11\n     8901\n  0  " + row.substr(8) + "\n");
}

TEST(superball_board, rows_are_read_as_written_or_refused_whole) {
    engines::superball::Rules rules;
    rules.rows = 5;
    rules.cols = 4;
    engines::superball::Board board(rules);
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

TEST(superball_params, all_may_be_left_out) {
    const auto* defaults =
        R"({"rows":8,"cols":10,"min_score_size":5,"colors":"pbyrg","pace_us":5000000})";
    EXPECT_EQ(tests::full_params(*superball_game, "{}"), defaults);
    EXPECT_EQ(superball_game->params_for(1), defaults);
}

TEST(superball_params, given_ones_are_kept) {
    struct Case {
        const char* given;
        const char* full;
    };
    const Case cases[] = {
        {R"({"rows":1,"cols":1,"min_score_size":1,"colors":"a","pace_us":0})",
         R"({"rows":1,"cols":1,"min_score_size":1,"colors":"a","pace_us":0})"},
        {R"({"colors":"zyxwvutsrqponmlkjihgfedcba","rows":100,"cols":100})",
         R"({"rows":100,"cols":100,"min_score_size":5,"colors":"zyxwvutsrqponmlkjihgfedcba","pace_us":5000000})"},
        {R"({"min_score_size":18446744073709551615,"pace_us":18446744073709551615})",
         R"({"rows":8,"cols":10,"min_score_size":18446744073709551615,"colors":"pbyrg","pace_us":18446744073709551615})"},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(tests::full_params(*superball_game, c.given), c.full);
        EXPECT_EQ(tests::full_params(*superball_game, c.full), c.full);
        EXPECT_NE(tests::start(*superball_game, c.given), nullptr);
    }
}

TEST(superball_params, bad_ones_are_refused_by_name) {
    const std::string table = R"rows(
        {"rows":0} -> params.rows: expected an integer from 1 to 100, such as 8, found
        {"rows":101} -> params.rows
        {"cols":0} -> params.cols: expected an integer from 1 to 100, such as 10, found
        {"cols":101} -> params.cols
        {"min_score_size":0}
            -> params.min_score_size: expected an integer of at least 1, such as 5, found
        {"colors":""} -> params.colors: expected a string of 1 to 26 different lower-case letters,
            such as "pbyrg", found
        {"colors":"pp"} -> params.colors
        {"colors":"pbyrgp"} -> params.colors
        {"colors":"Pb"} -> params.colors
        {"colors":"p b"} -> params.colors
        {"colors":"p1"} -> params.colors
        {"colors":"\u00e9"} -> params.colors
        {"colors":["p","b"]} -> params.colors
        {"colors":"abcdefghijklmnopqrstuvwxyza"} -> params.colors
        {"pace_us":-1} -> params.pace_us: expected an integer of at least 0, such as 5000000, found
        {"row":8} -> params.row: no such member here; expected "rows", "cols",
    )rows";
    tests::expect_refused(*superball_game, table);
    for (const auto& row : tests::mistake_rows(table)) {
        const auto accepted = tests::accepts(*superball_game, row.text);
        EXPECT_LT(accepted.error().message.size(), 200U) << row.text;
    }
    EXPECT_EQ(tests::accepts(*superball_game, R"({"rows":101})").error().message,
              "expected an integer from 1 to 100, such as 8, found 101");
}

}  // namespace
