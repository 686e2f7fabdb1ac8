// Light Cycles as the referee and the bots see it: moves as JSON, notes, outcomes, pictures.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/light_cycles/light_cycles.h"
#include "tests/engines/conformance/driver.h"

namespace engines::light_cycles {

namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::play;

// Two teams of two: [0, 0] and [0, 2] against [6, 0] and [6, 2].
const char* const two_of_two =
    R"({"width": 7, "height": 3, "teams": 2, "cycles_per_team": 2,
        "starts": [[0, 0], [0, 2], [6, 0], [6, 2]]})";
// Three teams of one, on rows of their own.
const char* const three_of_one =
    R"({"width": 9, "height": 3, "teams": 3, "cycles_per_team": 1, "mean_budget_us": 100,
        "starts": [[0, 0], [0, 1], [0, 2]]})";
// Four teams of one, on rows of their own.
const char* const four_of_one =
    R"({"width": 9, "height": 4, "teams": 4, "cycles_per_team": 1,
        "starts": [[0, 0], [0, 1], [0, 2], [0, 3]]})";

class Cycles : public testing::Test {
 protected:
    std::unique_ptr<Game> game = make_game({});

    std::unique_ptr<State> start(const char* params) { return tests::start(*game, params); }
};

TEST_F(Cycles, ShowsTheStateAsThePageHasIt) {
    const auto state = start(two_of_two);
    EXPECT_EQ(tests::state_text(*state),
              R"({"turn":0,"cycles":[[0,0],[0,2],[6,0],[6,2]],"used_us":[0,0]})");
    play(*state, {"[[1,0],[1,2]]", "[[5,0],[6,2]]"}, {30, 40});
    EXPECT_EQ(tests::state_text(*state),
              R"({"turn":1,"cycles":[[1,0],[1,2],[5,0],[-1,-1]],"used_us":[30,40]})");
}

struct MoveCase {
    const char* name;
    const char* move;
    const char* cycles;  // of team 0 after it
    std::vector<std::string> codes;
};

const MoveCase move_cases[] = {
    {"Both", "[[1,0],[1,2]]", "[[1,0],[1,2]]", {}},
    {"MoreEntriesAreIgnored", "[[1,0],[1,2],[1,1],7]", "[[1,0],[1,2]]", {}},
    {"AShorterListLeavesEntriesMissing", "[[1,0]]", "[[1,0],[-1,-1]]", {"missing_cell"}},
    {"AnEmptyListToo", "[]", "[[-1,-1],[-1,-1]]", {"missing_cell", "missing_cell", "team_out"}},
    {"NoList", "{\"move\":[[1,0],[1,2]]}", "[[-1,-1],[-1,-1]]", {"malformed_move", "team_out"}},
    {"AString", "\"[[1,0],[1,2]]\"", "[[-1,-1],[-1,-1]]", {"malformed_move", "team_out"}},
    {"Null", "null", "[[-1,-1],[-1,-1]]", {"missing_move", "team_out"}},
    {"AFlatList",
     "[1,0,1,2]",
     "[[-1,-1],[-1,-1]]",
     {"malformed_cell", "malformed_cell", "team_out"}},
    {"OneInteger", "[[1],[1,2]]", "[[-1,-1],[1,2]]", {"malformed_cell"}},
    {"ThreeIntegers", "[[1,0,0],[1,2]]", "[[-1,-1],[1,2]]", {"malformed_cell"}},
    {"AFraction", "[[1.0,0],[1,2]]", "[[-1,-1],[1,2]]", {"malformed_cell"}},
    {"AnExponent", "[[1e0,0],[1,2]]", "[[-1,-1],[1,2]]", {"malformed_cell"}},
    {"Strings", "[[\"1\",\"0\"],[1,2]]", "[[-1,-1],[1,2]]", {"malformed_cell"}},
    {"Truth", "[[true,0],[1,2]]", "[[-1,-1],[1,2]]", {"malformed_cell"}},
    {"NullEntry", "[null,[1,2]]", "[[-1,-1],[1,2]]", {"malformed_cell"}},
    {"AnObject", "[{\"x\":1,\"y\":0},[1,2]]", "[[-1,-1],[1,2]]", {"malformed_cell"}},
    {"HugeIntegers", "[[18446744073709551615,0],[1,2]]", "[[-1,-1],[1,2]]", {"outside"}},
    {"Outside", "[[0,-1],[1,2]]", "[[-1,-1],[1,2]]", {"outside"}},
    {"StandingStill", "[[0,0],[1,2]]", "[[-1,-1],[1,2]]", {"not_a_step"}},
    {"TheOtherWay", "[[1,2],[1,0]]", "[[-1,-1],[-1,-1]]", {"not_a_step", "not_a_step", "team_out"}},
    {"OneCellForTwo",
     "[[0,1],[0,1]]",
     "[[-1,-1],[-1,-1]]",
     {"contest_tied", "contest_tied", "team_out"}},
};

TEST_F(Cycles, JudgesEachEntryOfAMove) {
    for (const auto& [name, move, cycles, codes] : move_cases) {
        SCOPED_TRACE(name);
        const auto state = start(two_of_two);
        const auto notes = play(*state, {move, "[[5,0],[5,2]]"});
        EXPECT_EQ(tests::codes(notes), codes);
        auto expected = json::parse(cycles);
        expected.insert(expected.end(), {json({5, 0}), json({5, 2})});
        EXPECT_EQ(tests::state_json(*state).at("cycles"), expected);
        for (const auto& note : notes) EXPECT_EQ(note.seat, 0U);
    }
}

// In a row of three cells team 0 begins at the end, and team 1 beside it.
TEST_F(Cycles, ACycleThatIsShutInIsTold) {
    for (const auto* entry : {"[1,0]", "[0,0]", "[5,5]", "null", "\"x\""}) {
        SCOPED_TRACE(entry);
        const auto state = start(R"({"width": 3, "height": 1, "teams": 2, "cycles_per_team": 1,
                                     "starts": [[0, 0], [1, 0]]})");
        const auto notes = play(*state, {std::string("[") + entry + "]", "[[2,0]]"});
        EXPECT_EQ(tests::codes(notes), (std::vector<std::string>{"shut_in", "team_out"}));
        EXPECT_TRUE(state->over());
    }
    const auto state = start(R"({"width": 3, "height": 1, "teams": 2, "cycles_per_team": 1,
                                 "starts": [[0, 0], [1, 0]]})");
    const auto notes = play(*state, {"[[1,0]]", "[[0,0]]"});
    EXPECT_EQ(tests::codes(notes),
              (std::vector<std::string>{"shut_in", "team_out", "occupied", "team_out"}))
        << "the other could have gone on";
}

TEST_F(Cycles, TheEntryOfATerminatedCycleIsIgnoredWhateverItIs) {
    for (const auto* entry : {"null", "[-1,-1]", "[0,1]", "\"x\"", "[1,2]", "[[]]"}) {
        const auto state = start(two_of_two);
        play(*state, {"[null,[1,2]]", "[[5,0],[5,2]]"});
        const auto move = "[" + std::string(entry) + ",[2,2]]";
        EXPECT_TRUE(tests::check(*state, 0, move)) << entry;
        EXPECT_THAT(play(*state, {move, "[[4,0],[4,2]]"}), IsEmpty()) << entry;
        EXPECT_EQ(tests::state_json(*state).at("cycles").at(1), json({2, 2}));
    }
}

TEST_F(Cycles, SaysWhy) {
    const auto state = start(two_of_two);
    const auto notes = play(*state, {"[[0,-1],[1,2]]", "[[5,0],[4,2]]"});
    ASSERT_EQ(notes.size(), 2U);
    EXPECT_TRUE(notes[0].is_fault);
    EXPECT_THAT(notes[0].message, HasSubstr("Cycle 0"));
    EXPECT_THAT(notes[0].message, HasSubstr("7 x 3"));
    EXPECT_EQ(notes[1].seat, 1U);
    EXPECT_THAT(notes[1].message, HasSubstr("[4, 2] is not one step"));
}

TEST_F(Cycles, WhatTheRulesTakeIsNewsAndNoFault) {
    const auto state = start(R"({"width": 5, "height": 1, "teams": 2, "cycles_per_team": 1,
                                 "starts": [[1, 0], [3, 0]]})");
    const auto notes = play(*state, {"[[2,0]]", "[[2,0]]"}, {1, 2});
    EXPECT_THAT(tests::codes(notes), ElementsAre("contest_lost", "team_out"));
    for (const auto& note : notes) EXPECT_FALSE(note.is_fault) << note.code;
}

TEST_F(Cycles, AMeanOverTheLimitIsAFaultOfTime) {
    const auto state = start(three_of_one);
    play(*state, {"[[1,0]]", "[[1,1]]", "[[1,2]]"}, {0, 100, 0});
    const auto notes = play(*state, {"[[2,0]]", "[[2,1]]", "[[2,2]]"}, {0, 101, 0});
    EXPECT_THAT(tests::codes(notes), ElementsAre("over_mean", "team_out"));
    EXPECT_TRUE(notes[0].is_fault && notes[0].over_time);
    EXPECT_EQ(notes[0].message,
              "Team 1 used 0.101 ms a turn, the mean of its turns 1 to 2, and the limit of that "
              "mean is 0.100 ms: all its cycles are terminated.");
    EXPECT_EQ(state->to_move(), Seats(0b101));
}

TEST_F(Cycles, TimeOfATeamThatIsOutIsAddedAndItsMoveIgnored) {
    const auto state = start(three_of_one);
    play(*state, {"[[1,0]]", "null", "[[1,2]]"}, {1, 2, 3});
    EXPECT_THAT(play(*state, {"[[2,0]]", "\"whatever\"", "[[2,2]]"}, {1, 2, 3}), IsEmpty());
    EXPECT_EQ(tests::state_json(*state).at("used_us"), json({2, 4, 6}));
}

TEST_F(Cycles, RanksByTheTurnOfTheLastTermination) {
    const auto state = start(four_of_one);
    play(*state, {"[[1,0]]", "null", "null", "[[1,3]]"});
    EXPECT_FALSE(state->over());
    play(*state, {"null", "null", "null", "[[2,3]]"});
    EXPECT_TRUE(state->over());
    EXPECT_EQ(tests::outcome_json(*state), json::parse(R"({
        "scores": [2, 0.5, 0.5, 3], "placing": [2, 3, 3, 1],
        "detail": {"winner": 3, "eliminated_turn": [2, 1, 1, null], "turns": 2, "survivors": 1}})"));
}

TEST_F(Cycles, TheLastTeamsMayGoOutTogether) {
    const auto state = start(four_of_one);
    play(*state, {"[[1,0]]", "[[1,1]]", "null", "[[1,3]]"});
    play(*state, {"null", "null", "null", "null"});
    EXPECT_TRUE(state->over());
    EXPECT_EQ(tests::outcome_json(*state), json::parse(R"({
        "scores": [2, 2, 0, 2], "placing": [1, 1, 4, 1],
        "detail": {"winner": null, "eliminated_turn": [2, 2, 1, 2], "turns": 2, "survivors": 0}})"));
}

TEST_F(Cycles, CountsTheSurvivorsOfTheWinner) {
    const auto state = start(two_of_two);
    play(*state, {"null", "[[5,0],[5,2]]"});
    EXPECT_EQ(tests::outcome_json(*state).at("detail").at("survivors"), 2);
}

TEST_F(Cycles, AForfeitTerminatesTheTeam) {
    const auto state = start(three_of_one);
    play(*state, {"[[1,0]]", "[[1,1]]", "[[1,2]]"});
    state->forfeit(1);
    EXPECT_EQ(state->to_move(), Seats(0b101));
    EXPECT_EQ(tests::delta_json(*state), json::parse(R"([
        {"op": "replace", "path": "/cycles", "value": [[1,0],[-1,-1],[1,2]]}])"));
    state->forfeit(0);
    EXPECT_TRUE(state->over());
    EXPECT_EQ(tests::outcome_json(*state), json::parse(R"({
        "scores": [0.5, 0.5, 2], "placing": [2, 2, 1],
        "detail": {"winner": 2, "eliminated_turn": [1, 1, null], "turns": 1, "survivors": 1}})"));
}

TEST_F(Cycles, DrawsSmallGridsCellByCell) {
    const auto state = start(two_of_two);
    play(*state, {"[[1,0],[0,1]]", "[[5,0],[6,2]]"}, {7, 8});
    EXPECT_EQ(state->render(),
              "Turn 1\n"
              "aA...Bb\n"
              "A......\n"
              "a......\n"
              "A: team 0, 2 living, 7 us\n"
              "B: team 1, 1 living, 8 us\n");
}

TEST_F(Cycles, DrawsLargeGridsInBlocks) {
    const auto text = start("{}")->render();
    EXPECT_EQ(text.find('\n', text.find('\n') + 1) - text.find('\n') - 1, 57U);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 17 + 4);
    for (const char letter : {'A', 'B', 'C', 'D'}) {
        EXPECT_GE(std::count(text.begin(), text.end(), letter), 3) << letter;
    }
}

TEST_F(Cycles, ShowsAPersonWhatIsAroundTheOwnCycles) {
    const auto state = start("{}");
    const auto text = state->render_for(1, {80, 10});
    EXPECT_EQ(text,
              "cycle 3 at 45,169          cycle 4 at 85,169          cycle 5 at 125,169\n"
              "x 33-57, y 168-169         x 73-97, y 168-169         x 113-137, y 168-169\n"
              ".........................  .........................  .........................\n"
              "............B............  ............B............  ............B............\n"
              "#########################  #########################  #########################\n"
              "A: team 0, 3 living, 0 us\n"
              "B: team 1, 3 living, 0 us\n"
              "C: team 2, 3 living, 0 us\n"
              "D: team 3, 3 living, 0 us\n");
    EXPECT_EQ(start(two_of_two)->render_for(0, {}), start(two_of_two)->render());
}

TEST_F(Cycles, TellsAPersonWhatWasWrongAlone) {
    const auto state = start(two_of_two);
    const auto checked = tests::check(*state, 0, "[[5,5]]");
    ASSERT_FALSE(checked);
    EXPECT_TRUE(checked.error().message.starts_with("Cycle 0 is terminated: "));
    EXPECT_TRUE(checked.error().reason.starts_with("cycle 0: ")) << checked.error().reason;
}

TEST_F(Cycles, ReadsMovesOfPeople) {
    EXPECT_EQ(game->move_from_text("168,45 168,85 168,125"), "[[168,45],[168,85],[168,125]]");
    EXPECT_EQ(game->move_from_text(" [[1, 2], [-1, -1]] "), "[[1,2],[-1,-1]]");
    for (const auto* line : {"", "x", "1", "1 2 3", "-", "99999999999999999999 1"}) {
        EXPECT_FALSE(game->move_from_text(line)) << line;
    }
}

}  // namespace

namespace {

TEST(Golden, Playthroughs) {
    const auto game = make_game({});
    for (const auto* name : {"contests", "over_the_mean", "straight_on"}) {
        SCOPED_TRACE(name);
        tests::expect_golden(*game, "light_cycles", name);
    }
}

}  // namespace

}  // namespace engines::light_cycles
