// How games end, what their outcome tells, and how two of them compare.

// Whole games as `referee trace` tells them, byte for byte.

#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include <vector>

#include "tests/engines/e7_planets/scene.h"

namespace {

using nlohmann::json;
using tests::Scene;

struct EndCase {
    std::string name;
    Scene scene;
    std::string moves;
    std::string last_code;
    json detail;  // the members that the case is about

    friend void PrintTo(const EndCase& one, std::ostream* out) { *out << one.name; }
};

const std::vector<EndCase> ends = {
    {"won",
     {{"@$.$."}, {}, {}, 9},
     "RRRRRR",
     "won",
     {{"win", true},
      {"max_turns", 9},
      {"n_turns", 3},
      {"score", 10},
      {"caught", false},
      {"scraps_left", json::array()}}},
    {"won_in_the_last_turn",
     {{"@$..."}, {}, {}, 1},
     "R",
     "won",
     {{"win", true}, {"n_turns", 1}, {"score", 5}}},
    {"out_of_turns",
     {{"@$.$."}, {}, {}, 2},
     "RL",
     "out_of_turns",
     {{"win", false}, {"n_turns", 2}, {"score", 5}, {"scraps_total_value", 10}, {"caught", false}}},
    {"caught",
     {{"@$.a$"}, {"b0L"}, {}, 9},
     "RR",
     "caught",
     {{"win", false},
      {"caught", true},
      {"n_turns", 2},
      {"score", 5},
      {"ghosts_catch_switch", {1}}}},
    {"the_scrap_of_the_last_step_counts",
     {{"@$.", "a.$"}, {"t0"}, {}, 9},
     "R.",
     "caught",
     {{"caught", true}, {"score", 5}, {"n_turns", 2}}},
    {"caught_goes_before_won",
     {{"@$a."}, {"b0L"}, {}, 9},
     "R",
     "caught",
     {{"win", false},
      {"caught", true},
      {"score", 5},
      {"scraps_left", json::array()},
      {"ghosts_catch_samespot", {1}}}},
    {"numbers_of_all_ghosts",
     {{".....", "..c..", ".@ab.", "..d$.", "....."}, {"b0L", "b0L", "b0D", "b0U"}, {}, 9},
     "R",
     "caught",
     {{"ghosts_catch_samespot", {2, 3, 4}}, {"ghosts_catch_switch", {1}}}},
    {"picked_up_in_order",
     {{"$@$$."}, {}, {}, 9},
     "RLL.......",
     "out_of_turns",
     {{"scraps_picked_up",
       {{{"location", {1, 3}}, {"value", 5}}, {{"location", {1, 1}}, {"value", 5}}}},
      {"scraps_left", {{{"location", {1, 4}}, {"value", 5}}}}}},
    {"a_scrap_on_a_nebula_is_picked_up_at_once",
     {{"@$..."}, {}, {{1, 2, 4}}, 9},
     "R",
     "won",
     {{"n_turns", 1}}},
};

class End : public testing::TestWithParam<EndCase> {};

TEST_P(End, HasThisOutcome) {
    const auto& one = GetParam();
    const auto state = tests::start(tests::e7_game(), tests::params_of(tests::map_of(one.scene)));
    ASSERT_TRUE(state);
    const auto notes = tests::play_letters(*state, one.moves);
    ASSERT_TRUE(state->over());
    ASSERT_FALSE(notes.empty());
    EXPECT_EQ(notes.back().code, one.last_code);
    EXPECT_FALSE(notes.back().is_fault);
    const auto outcome = tests::outcome_json(*state);
    for (const auto& [name, value] : one.detail.items())
        EXPECT_EQ(outcome.at("detail").at(name), value) << name;
    EXPECT_EQ(outcome.at("scores"), json::array({outcome.at("detail").at("score")}));
    EXPECT_EQ(outcome.at("placing"), json::array({1}));
}

INSTANTIATE_TEST_SUITE_P(Ends, End, testing::ValuesIn(ends),
                         [](const auto& each) { return each.param.name; });

TEST(Outcome, HasTheMembersInTheirOrder) {
    const auto state =
        tests::start(tests::e7_game(), tests::params_of(tests::map_of({{"@$"}, {}, {}, 1})));
    tests::play_letters(*state, "R");
    EXPECT_EQ(
        state->outcome().detail,
        R"({"win":true,"max_turns":1,"n_turns":1,"score":5,"scraps_total_value":5,)"
        R"("scraps_picked_up":[{"location":[1,2],"value":5}],"scraps_left":[],"caught":false,)"
        R"("ghosts_catch_samespot":[],"ghosts_catch_switch":[]})");
}

TEST(State, IsWrittenInTheOrderOfThePage) {
    const Scene scene{{"@a3", "#$b"}, {"b1R", "t2"}, {}, 7};
    const auto state = tests::start(tests::e7_game(), tests::params_of(tests::map_of(scene)));
    ASSERT_TRUE(state);
    EXPECT_EQ(tests::state_text(*state),
              R"({"grid":[[0,0,3],[-1,0,0]],"player":{"location":[[null,null],[1,1]],"score":0},)"
              R"("scraps":[{"location":[2,2],"value":5}],)"
              R"("ghosts":[{"location":[[1,1],[1,2]],"type":"backandforth","transparency":1},)"
              R"({"location":[[null,null],[2,3]],"type":"towardplayer","transparency":2}],)"
              R"("remaining_turns":7})");
    tests::play_letters(*state, ".");
    EXPECT_EQ(
        tests::state_text(*state),
        R"({"grid":[[0,0,3],[-1,0,0]],"player":{"location":[[null,null],[1,1],[1,1]],"score":0},)"
        R"("scraps":[{"location":[2,2],"value":5}],)"
        R"("ghosts":[{"location":[[1,1],[1,2],[1,3]],"type":"backandforth","transparency":1},)"
        R"({"location":[[null,null],[2,3],[2,2]],"type":"towardplayer","transparency":2}],)"
        R"("remaining_turns":6})");
}

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

struct MoveCase {
    std::string move;
    std::string code;  // empty where the move is carried out
    bool is_fault = false;
};

TEST(Check, TellsWhatApplyWouldNote) {
    const Scene scene{{"@#.", "...", "..$"}, {}, {}};
    const std::vector<MoveCase> cases = {
        {"\"U\"", "", false},
        {"\".\"", "", false},
        {"\"R\"", "bumped", false},
        {"\"u\"", "malformed_move", true},
        {"\"UU\"", "malformed_move", true},
        {"\"\"", "malformed_move", true},
        {"null", "missing_move", true},
        {"5", "malformed_move", true},
        {"[\"U\"]", "malformed_move", true},
        {"{\"move\":\"U\"}", "malformed_move", true},
        {"true", "malformed_move", true},
        {"1.5", "malformed_move", true},
        {"\" U\"", "malformed_move", true},
    };
    for (const auto& one : cases) {
        const auto state = tests::start(tests::e7_game(), tests::params_of(tests::map_of(scene)));
        const auto checked = tests::check(*state, 0, one.move);
        EXPECT_EQ(checked ? "" : checked.error().code, one.code) << one.move;
        const auto notes = tests::play(*state, {one.move});
        ASSERT_EQ(notes.size(), one.code.empty() ? 0U : 1U) << one.move;
        if (notes.empty()) continue;
        EXPECT_EQ(notes[0].code, checked.error().code);
        EXPECT_EQ(notes[0].message, checked.error().message);
        EXPECT_EQ(notes[0].is_fault, one.is_fault) << one.move;
    }
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

namespace {

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, IsTracedAsItWas) {
    tests::expect_golden(tests::e7_game(), "e7_planets", GetParam());
}

INSTANTIATE_TEST_SUITE_P(Games, Golden,
                         testing::Values("won_around_the_edges", "caught_by_switch",
                                         "caught_on_the_last_scrap", "nebulae_and_bumps",
                                         "ghosts_of_all_kinds", "five_ghosts", "out_of_turns",
                                         "unfinished"),
                         [](const auto& each) { return each.param; });

}  // namespace

namespace None {}  // namespace None
