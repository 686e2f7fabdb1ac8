// Light Cycles as people and the referee see it: a forfeit, pictures, moves as they are typed. The
// rules are in tests/models.

#include <gtest/gtest.h>

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

TEST_F(Cycles, ReadsMovesOfPeople) {
    EXPECT_EQ(game->move_from_text("168,45 168,85 168,125"), "[[168,45],[168,85],[168,125]]");
    EXPECT_EQ(game->move_from_text(" [[1, 2], [-1, -1]] "), "[[1,2],[-1,-1]]");
    for (const auto* line : {"", "x", "1", "1 2 3", "-", "99999999999999999999 1"}) {
        EXPECT_FALSE(game->move_from_text(line)) << line;
    }
}

}  // namespace

}  // namespace engines::light_cycles
