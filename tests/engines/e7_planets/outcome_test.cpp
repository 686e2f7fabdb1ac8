// A forfeit, how two outcomes compare, and what people see and type. The rules are in tests/models.

#include <gtest/gtest.h>
#include <vector>

#include "tests/engines/e7_planets/scene.h"

namespace {

using nlohmann::json;
using tests::Scene;

TEST(Forfeit, EndsWithScoreZero) {
    const auto state =
        tests::start(tests::e7_game(), tests::params_of(tests::map_of({{"@$.$"}, {}, {}, 9})));
    tests::play_letters(*state, "R");
    const auto before = tests::state_text(*state);
    state->forfeit(0);
    EXPECT_TRUE(state->over());
    EXPECT_EQ(tests::state_text(*state), before);
    EXPECT_EQ(tests::delta_json(*state), json::array());
    const auto outcome = tests::outcome_json(*state);
    EXPECT_EQ(outcome.at("scores"), json::array({0}));
    EXPECT_EQ(outcome.at("detail").at("score"), 0);
    EXPECT_EQ(outcome.at("detail").at("win"), false);
    EXPECT_EQ(outcome.at("detail").at("n_turns"), 1);
}

// Whoever reads of a hidden map's game learns whether the ship stood still, and why.
TEST(Caught, TellsInWhichWay) {
    const auto way_of = [](const Scene& scene, const char* moves) {
        const auto state = tests::start(tests::e7_game(), tests::params_of(tests::map_of(scene)));
        tests::play_letters(*state, moves);
        const auto told = state->tell_play_without_map(0);
        EXPECT_TRUE(state->tell_play(0)->starts_with(told.front() + "; the ship moved in "));
        return told.front();
    };
    const std::string as = "it was caught as ";
    EXPECT_EQ(way_of({{"@a.$"}, {"t0"}, {}, 9}, "R"), as + "each moved to where the other was");
    EXPECT_EQ(way_of({{"@.a$"}, {"t0"}, {}, 9}, "R"), as + "both moved to the same cell");
    EXPECT_EQ(way_of({{"@a.$"}, {"t0"}, {{1, 2, 5}}, 9}, "R"), as + "it moved onto a ghost");
    EXPECT_EQ(way_of({{"@a.$"}, {"t0"}, {}, 9}, "."), as + "its move was to stay");
    EXPECT_EQ(way_of({{"@a.$"}, {"t0"}, {{1, 1, 5}}, 9}, "R"), as + "a nebula held it");
    EXPECT_EQ(way_of({{"@a.$", "#..."}, {"t0"}, {}, 9}, "D"), as + "an asteroid field blocked it");
    EXPECT_EQ(way_of({{"@a.$"}, {"t0"}, {}, 9}, "x"), as + "no valid move came");
}

engines::Outcome outcome_of(int score, bool win, bool caught, int turns) {
    return {{engines::Score::whole(score)},
            {1},
            json{{"win", win}, {"caught", caught}, {"n_turns", turns}}.dump()};
}

TEST(Compare, GoesByScoreThenWinThenNotCaughtThenTurns) {
    const std::vector<engines::Outcome> from_worst = {
        outcome_of(3, true, false, 1),  outcome_of(5, false, true, 1),
        outcome_of(5, false, false, 9), outcome_of(5, false, false, 8),
        outcome_of(5, true, false, 30), outcome_of(5, true, false, 20),
    };
    for (std::size_t i = 0; i < from_worst.size(); ++i) {
        for (std::size_t k = 0; k < from_worst.size(); ++k) {
            EXPECT_EQ(tests::e7_game().compare(from_worst[i], from_worst[k]), i <=> k)
                << i << " " << k;
        }
    }
}

TEST(Terminal, TakesLettersOfEitherCase) {
    EXPECT_EQ(tests::e7_game().move_from_text("u"), "\"U\"");
    EXPECT_EQ(tests::e7_game().move_from_text("R"), "\"R\"");
    EXPECT_EQ(tests::e7_game().move_from_text("."), "\".\"");
    EXPECT_FALSE(tests::e7_game().move_from_text("x"));
    EXPECT_FALSE(tests::e7_game().move_from_text(""));
    EXPECT_FALSE(tests::e7_game().move_from_text("UU"));
}

TEST(Terminal, ShowsThePosition) {
    const Scene scene{{"@a3", "#$.", "..b"}, {"b1R", "t2"}, {}, 7};
    const auto state = tests::start(tests::e7_game(), tests::params_of(tests::map_of(scene)));
    EXPECT_EQ(state->render(),
              "score 0 of 5, scraps left 1, turns left 7 of 7\n"
              "  1 2 3\n"
              "1 @b1 3\n"
              "2 #$5 .\n"
              "3 . .t2\n");
}

}  // namespace
