#include <gtest/gtest.h>

#include "engines/superball/superball.h"
#include "tests/engines/conformance/driver.h"
#include "tests/engines/superball/game.h"

namespace {

TEST(superball_text, shows_the_board_with_its_numbers) {
    const auto state = tests::start(*tests::superball_game, R"({"rows":5,"cols":12})", 1);
    const auto text = state->render();
    EXPECT_TRUE(text.starts_with("Empty cells: 55   Score: 0\n     012345678901\n  0  ")) << text;
    const auto rows = tests::state_json(*state).at("board").get<std::vector<std::string>>();
    EXPECT_NE(text.find("\n  2  " + rows[2] + "\n"), std::string::npos) << text;
    EXPECT_TRUE(text.ends_with("\n  4  " + rows[4] + "\n")) << text;
    state->forfeit(0);
    EXPECT_NE(state->render().find("Game over (missing)"), std::string::npos);
}

TEST(superball_text, people_may_write_small_letters) {
    EXPECT_EQ(tests::superball_game->move_from_text("swap 0 1  7 2"), "\"SWAP 0 1 7 2\"");
    EXPECT_EQ(tests::superball_game->move_from_text(" Score 5, 0\n"), "\"SCORE 5 0\"");
    for (const char* line : {"", "  ", "help", "swap", "swap 1 2", "score x y", "\"SCORE 5 0\""}) {
        EXPECT_FALSE(tests::superball_game->move_from_text(line)) << line;
    }
}

TEST(superball_text, people_are_told_what_is_wrong_alone) {
    EXPECT_NE(
        tests::superball_game->move_from_text("swap 1 2").error().find("SWAP takes 4 numbers"),
        std::string::npos);
    EXPECT_EQ(tests::superball_game->move_from_text("jump 1 2").error(),
              "expected SWAP r1 c1 r2 c2 or SCORE r c, found 'jump 1 2'");
    const auto state = tests::start(*tests::superball_game, "{}", 1);
    const auto checked = tests::check(*state, 0, R"("SCORE 0 0")");
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().message, checked.error().reason + "; the game ends with score 0");
}

TEST(superball_text, a_wide_board_is_shown_in_parts) {
    const auto state = tests::start(*tests::superball_game, R"({"rows":1,"cols":12})", 1);
    const auto row = tests::state_json(*state).at("board").at(0).get<std::string>();
    EXPECT_EQ(state->render_for(0, {13, 24}),
              "Empty cells: 7   Score: 0\n"
              "columns 0 to 7\n     01234567\n  0  " +
                  row.substr(0, 8) + "\ncolumns 8 to 11\n     8901\n  0  " + row.substr(8) + "\n");
}

TEST(superball_text, facts) {
    EXPECT_EQ(tests::superball_game->info().id, "superball");
    EXPECT_EQ(tests::superball_game->info().seats_default, 1U);
    EXPECT_EQ(tests::superball_game->info().clock.kind, engines::ClockKind::none);
    EXPECT_EQ(tests::superball_game->maps(), nullptr);
}

}  // namespace
