// Light Cycles as people and the referee see it: a forfeit, pictures, moves as they are typed. The
// rules are in tests/models.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <set>

#include "engines/light_cycles/arena.h"
#include "engines/light_cycles/light_cycles.h"
#include "tests/engines/conformance/driver.h"

namespace engines::light_cycles {

namespace {

using nlohmann::json;
using tests::play;

// Two teams of two: [0, 0] and [0, 2] against [6, 0] and [6, 2].
const char* const two_of_two =
    R"({"width": 7, "height": 3, "teams": 2, "cycles_per_team": 2,
        "starts": [[0, 0], [0, 2], [6, 0], [6, 2]]})";
// Three teams of one, on rows of their own.
const char* const three_of_one =
    R"({"width": 9, "height": 3, "teams": 3, "cycles_per_team": 1, "mean_budget_us": 100,
        "starts": [[0, 0], [0, 1], [0, 2]]})";
class Cycles : public testing::Test {
 protected:
    std::unique_ptr<Game> game = make_game({});

    std::unique_ptr<State> start(const char* params) { return tests::start(*game, params); }
};

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
    EXPECT_TRUE(checked.error().message.starts_with("Its first cycle (cycle 0) is terminated: "));
    EXPECT_TRUE(checked.error().reason.starts_with("cycle 0: ")) << checked.error().reason;
}

TEST_F(Cycles, SaysWhoWasAtItsCell) {
    const auto state = start(two_of_two);
    play(*state, {"[[0,1],[0,1]]", "[[6,1],[6,1]]"});
    const std::string end = ", too, so neither got it";
    EXPECT_EQ(state->tell_play(1),
              "it played as team 1; turn 1: Its first cycle (cycle 2) is terminated: its own "
              "team's second "
              "cycle (cycle 3) chose [6, 1]" +
                  end +
                  "; turn 1: Its second cycle (cycle 3) is terminated: its own team's first cycle "
                  "(cycle 2) chose [6, 1]" +
                  end);
    const auto other = start(two_of_two);
    play(*other, {"[[0,1],[1,2]]", "[[5,0],[6,1]]"});
    const auto checked = tests::check(*other, 0, "[[1,1],[0,2]]");
    ASSERT_FALSE(checked);
    EXPECT_THAT(checked.error().message,
                testing::HasSubstr("[0, 2] was occupied by its own trail; it stood at [1, 2]"));
}

TEST_F(Cycles, TellsWhatEndedEachCycle) {
    const auto state = start(two_of_two);
    play(*state, {"[[1,0],[1,2]]", "[[5,0],[5,2]]"}, {5, 3});
    play(*state, {"[[2,0],[2,2]]", "[[4,0],[4,2]]"}, {5, 3});
    EXPECT_EQ(state->tell_play(0), "");
    play(*state, {"[[3,0],[2,3]]", "[[3,0],[3,2]]"}, {5, 3});
    EXPECT_EQ(
        state->tell_play(0),
        "it played as team 0; turn 3: Its first cycle (cycle 0) is terminated: cycle 2 (team 1) "
        "chose [3, 0], too, and team 1 had used less time so far, which decides (0.009 ms, "
        "team 0 0.015 ms)")
        << "that the other left the grid is a fault, which is told by itself";
    EXPECT_EQ(state->tell_play(1), "");
}

// A trail stood there, too, where its cycle was terminated in that turn.
TEST_F(Cycles, TellsWhoseTrailsShutACycleIn) {
    const auto state = start(R"({"width": 7, "height": 3, "teams": 2, "cycles_per_team": 2,
                                 "starts": [[0, 0], [0, 2], [2, 0], [6, 2]]})");
    play(*state, {"[[0,1],[1,2]]", "[[3,0],[6,1]]"});
    play(*state, {"[[1,1],[2,2]]", "[[4,0],[5,1]]"});
    play(*state, {"[[1,0],[3,2]]", "[[5,0],[4,1]]"});
    play(*state, {"[[2,0],[4,2]]", "[[5,-1],[3,1]]"});
    EXPECT_EQ(state->tell_play(0),
              "it played as team 0; turn 4: Its first cycle (cycle 0) is terminated: every cell "
              "beside [1, 0], where it stood, was taken (right by cycle 2, below by cycle 0, left "
              "by cycle 0, above by the edge), so no move was legal");
    const auto alone = start(R"({"width": 8, "height": 4, "teams": 2, "cycles_per_team": 1,
                                 "starts": [[2, 1], [7, 3]]})");
    const char* const own[] = {"[[2,2]]", "[[1,2]]", "[[0,2]]", "[[0,1]]",
                               "[[0,0]]", "[[1,0]]", "[[1,1]]", "[[1,0]]"};
    const char* const other[] = {"[[7,2]]", "[[7,1]]", "[[7,0]]", "[[6,0]]",
                                 "[[5,0]]", "[[4,0]]", "[[3,0]]", "[[3,1]]"};
    for (std::size_t turn = 0; turn < std::size(own); ++turn)
        play(*alone, {own[turn], other[turn]});
    EXPECT_THAT(alone->tell_play(0),
                testing::Optional(testing::EndsWith(
                    "every cell beside [1, 1], where it stood, was taken by its own trail, so no "
                    "move was legal")));
}

TEST_F(Cycles, ReadsMovesOfPeople) {
    EXPECT_EQ(game->move_from_text("168,45 168,85 168,125"), "[[168,45],[168,85],[168,125]]");
    EXPECT_EQ(game->move_from_text(" [[1, 2], [-1, -1]] "), "[[1,2],[-1,-1]]");
    for (const auto* line : {"", "x", "1", "1 2 3", "-", "99999999999999999999 1"}) {
        EXPECT_FALSE(game->move_from_text(line)) << line;
    }
}

const char* const default_params =
    R"({"width":170,"height":170,"teams":4,"cycles_per_team":3,"mean_budget_us":50000,)"
    R"("grace_turns":0,"starts":[[169,45],[169,85],[169,125],[45,169],[85,169],[125,169],)"
    R"([0,45],[0,85],[0,125],[45,0],[85,0],[125,0]]})";

TEST(Setup, FillsInDefaults) {
    const auto game = make_game({});
    EXPECT_EQ(tests::full_params(*game, "{}"), default_params);
    EXPECT_EQ(game->params_for(4), default_params);
    const auto full = json::parse(tests::full_params(*game, R"({"grace_turns": 7})"));
    EXPECT_EQ(full.at("grace_turns"), 7);
    EXPECT_EQ(full.at("starts"), json::parse(default_params).at("starts"));
}

TEST(Setup, RefusesByMember) {
    tests::expect_refused(*make_game({}), R"rows(
        {"width": 0} -> params.width: from 1 to 1000, found 0
        {"width": 1001} -> params.width: found 1001
        {"height": -1} -> params.height: from 1 to 1000
        {"teams": 1} -> params.teams: from 2 to 8
        {"teams": 9} -> params.teams: found 9
        {"cycles_per_team": 0} -> params.cycles_per_team: from 1 to 100
        {"cycles_per_team": 101} -> params.cycles_per_team: found 101
        {"mean_budget_us": 0} -> params.mean_budget_us: of at least 1, found 0
        {"grace_turns": -1} -> params.grace_turns: of at least 0, found -1
        {"team": 4} -> params.team: no such member here; expected "width"
        {"width": 171} -> params.starts: must be given
        {"height": 169} -> params.starts
        {"teams": 2} -> params.starts
        {"cycles_per_team": 2} -> params.starts: list of 8 cells
        {"starts": null} -> params.starts: found null
        {"starts": []} -> params.starts: list of 12 cells
        {"teams": 2, "cycles_per_team": 1, "starts": [[0, 0]]} -> params.starts: a list of 1
        {"teams": 2, "cycles_per_team": 1, "starts": [[0, 0], [170, 0]]}
            -> params.starts[1]: x from 0 to 169
        {"teams": 2, "cycles_per_team": 1, "starts": [[0, -1], [1, 0]]}
            -> params.starts[0]: y from 0 to 169
        {"teams": 2, "cycles_per_team": 1, "starts": [[0, 0], [1]]} -> params.starts[1]: [x, y]
        {"teams": 2, "cycles_per_team": 1, "starts": [[0, 0], [1, 2, 3]]} -> params.starts[1]
        {"teams": 2, "cycles_per_team": 1, "starts": [[0, 0], [1.0, 2]]} -> params.starts[1]
        {"teams": 2, "cycles_per_team": 1, "starts": [[5, 6], [5, 6]]}
            -> params.starts[1]: start of another cycle
        {"starts": [[5, 6], [5, 7]], "cycles_per_team": 1, "width": 5, "teams": 2}
            -> params.starts[0]: x from 0 to 4
    )rows");
}

TEST(Setup, TakesTheLargest) {
    const auto game = make_game({});
    json starts = json::array();
    for (int i = 0; i < 800; ++i) starts.push_back({999 - i % 2, 999 - i});
    const json params = {{"width", 1000},
                         {"height", 1000},
                         {"teams", 8},
                         {"starts", starts},
                         {"cycles_per_team", 100}};
    const auto state = tests::start(*game, params.dump());
    ASSERT_TRUE(state);
    EXPECT_EQ(state->seats(), 8U);
    EXPECT_EQ(tests::state_json(*state).at("cycles").size(), 800U);
}

TEST(Setup, SeatsEveryNumberOfTeams) {
    const auto game = make_game({});
    const auto usual = json::parse(default_params).at("starts");
    for (std::size_t teams = 2; teams <= 8; ++teams) {
        const auto params = json::parse(*game->params_for(teams));
        EXPECT_EQ(params.at("teams"), teams);
        const auto starts = params.at("starts").get<std::vector<std::array<int, 2>>>();
        ASSERT_EQ(starts.size(), 3 * teams);
        std::set<std::array<int, 2>> different(starts.begin(), starts.end());
        EXPECT_EQ(different.size(), starts.size());
        for (std::size_t i = 0; i < starts.size(); ++i) {
            const auto [x, y] = starts[i];
            const bool on_side = x == 0 || x == 169;
            const bool on_end = y == 0 || y == 169;
            EXPECT_NE(on_side, on_end) << "on the edge, in no corner: " << x << " " << y;
            if (teams <= 4) {
                EXPECT_EQ(usual.at(i), json({x, y}));
                continue;
            }
            const auto [next_x, next_y] = starts[(i + 1) % starts.size()];
            const int apart = std::abs(next_x - x) + std::abs(next_y - y);
            EXPECT_GE(apart, 676 / static_cast<int>(starts.size()) - 1) << i;
        }
    }
}

}  // namespace

}  // namespace engines::light_cycles
