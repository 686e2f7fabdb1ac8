// Walls as people and the referee see it: setups, a forfeit, pictures, moves as they are typed. The
// rules are in tests/models.

#include <gtest/gtest.h>

#include "engines/walls/walls.h"
#include "tests/engines/conformance/driver.h"

namespace engines::walls {

namespace {

using nlohmann::json;
using tests::play;

class Walls : public testing::Test {
 protected:
    std::unique_ptr<Game> game = make_game({});

    std::unique_ptr<State> start(const char* params) { return tests::start(*game, params); }

    // One letter a turn, whoever is to move.
    void play_all(State& state, std::string_view letters) {
        for (const char letter : letters) {
            const std::string move = "\"" + std::string(1, letter) + "\"";
            play(state, {move, move});
        }
    }
};

TEST_F(Walls, RefusesParams) {
    tests::expect_refused(*game, R"rows(
        {"size": 4} -> params.size: odd integer from 3 to 99, found 4
        {"size": 1} -> params.size: found 1
        {"size": 101} -> params.size: found 101
        {"size": -3} -> params.size: found -3
        {"size": 5.0} -> params.size: found 5.0
        {"size": 18446744073709551615} -> params.size: found 18446744073709551615
        {"size": "5"} -> params.size: found "5"
        {"size": null} -> params.size: found null
        {"first": 2} -> params.first: expected 0 or 1
        {"first": -1} -> params.first: found -1
        {"first": true} -> params.first: expected 0 or 1
        {"size": 5, "Size": 5} -> params.Size: no such member here; expected "size", "first"
    )rows");
}

TEST_F(Walls, FillsInDefaults) {
    EXPECT_EQ(tests::full_params(*game, "{}"), R"({"size":5,"first":0})");
    EXPECT_EQ(tests::full_params(*game, R"({"first": 1})"), R"({"size":5,"first":1})");
    EXPECT_EQ(tests::full_params(*game, R"({"size": 99})"), R"({"size":99,"first":0})");
    EXPECT_EQ(game->params_for(2), R"({"size":5,"first":0})");
}

TEST_F(Walls, WhoForfeitsLosesWhateverTheBricks) {
    const auto state = start("{}");
    play_all(*state, "RLF");  // A has a brick more
    state->forfeit(0);
    EXPECT_TRUE(state->over());
    EXPECT_EQ(tests::outcome_json(*state), json::parse(R"({"scores": [0, 2], "placing": [2, 1],
              "detail": {"bricks": [1, 0], "moves": 3}})"));
}

TEST_F(Walls, DrawsThePosition) {
    const auto state = start(R"({"size": 3})");
    play_all(*state, "RLF");
    EXPECT_EQ(state->render(),
              ".a^ .   .  \n"
              "A   .   .b^\n"
              ".   .   .  \n"
              "a: 1 bricks, idle 0\n"
              "b: 0 bricks, idle 1, to move\n");
}

TEST_F(Walls, DrawsThePartOfALargeBoardAroundThePlayer) {
    const auto text = start(R"({"size": 99})")->render_for(1, {11, 7});
    EXPECT_EQ(text,
              ".   .   .  \n"
              ".   .b> .  \n"
              ".   .   .  \n"
              "(shown: rows 48 to 50 of 99, columns 49 to 51 of 99)\n"
              "a: 0 bricks, idle 0, to move\n"
              "b: 0 bricks, idle 0\n");
}

TEST_F(Walls, TellsPeopleWhatWasExpected) {
    EXPECT_EQ(game->move_from_text(" forward ").error(), "expected F, L or R, found 'forward'");
    EXPECT_EQ(game->move_from_text("").error(), "expected F, L or R, and nothing was typed");
    EXPECT_EQ(game->move_from_text("\x1b[2J").error(), "expected F, L or R, found '\\x1b[2J'");
}

TEST_F(Walls, ReadsMovesOfPeople) {
    EXPECT_EQ(game->move_from_text("F"), "\"F\"");
    EXPECT_EQ(game->move_from_text(" l \r"), "\"L\"");
    EXPECT_EQ(game->move_from_text("r"), "\"R\"");
    for (const auto* line : {"", " ", "FF", "x", "forward"}) {
        EXPECT_FALSE(game->move_from_text(line)) << line;
    }
}

}  // namespace

}  // namespace engines::walls
