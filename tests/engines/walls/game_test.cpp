// Walls as the referee and the bots see it: setups, JSON, notes, outcomes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/walls/walls.h"
#include "tests/engines/conformance/driver.h"

namespace engines::walls {

namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::play;

const std::string none = "null";

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
    struct Case {
        const char* params;
        const char* member;
        const char* message;
    };
    const Case cases[] = {
        {R"({"size": 4})", "params.size", "odd integer from 3 to 99, found 4"},
        {R"({"size": 1})", "params.size", "found 1"},
        {R"({"size": 101})", "params.size", "found 101"},
        {R"({"size": -3})", "params.size", "found -3"},
        {R"({"size": 5.0})", "params.size", "found 5.0"},
        {R"({"size": 18446744073709551615})", "params.size", "found 18446744073709551615"},
        {R"({"size": "5"})", "params.size", "found \"5\""},
        {R"({"size": null})", "params.size", "found null"},
        {R"({"first": 2})", "params.first", "expected 0 or 1"},
        {R"({"first": -1})", "params.first", "found -1"},
        {R"({"first": true})", "params.first", "expected 0 or 1"},
        {R"({"size": 5, "Size": 5})", "params.Size",
         "no such member here; expected \"size\", \"first\""},
        {R"([5, 0])", "params", "expected an object"},
    };
    for (const auto& [params, member, message] : cases) {
        const auto accepted = tests::accepts(*game, params);
        ASSERT_FALSE(accepted) << params;
        EXPECT_EQ(accepted.error().member, member) << params;
        EXPECT_THAT(accepted.error().message, HasSubstr(message)) << params;
    }
}

TEST_F(Walls, FillsInDefaults) {
    EXPECT_EQ(tests::full_params(*game, "{}"), R"({"size":5,"first":0})");
    EXPECT_EQ(tests::full_params(*game, R"({"first": 1})"), R"({"size":5,"first":1})");
    EXPECT_EQ(tests::full_params(*game, R"({"size": 99})"), R"({"size":99,"first":0})");
    EXPECT_EQ(game->params_for(2), R"({"size":5,"first":0})");
    EXPECT_EQ(game->params_for(1), std::nullopt);
    EXPECT_EQ(game->params_for(3), std::nullopt);
}

TEST_F(Walls, ShowsTheStateAsThePageHasIt) {
    const auto state = start(R"({"size": 3, "first": 1})");
    EXPECT_EQ(tests::state_text(*state),
              R"({"size":3,"board":["...","...","..."],"players":[)"
              R"({"at":[1,0],"facing":"W","idle":0,"stalled":false,"bricks":0},)"
              R"({"at":[1,2],"facing":"E","idle":0,"stalled":false,"bricks":0}],"to_move":1})");
    play_all(*state, "RRFF");
    EXPECT_EQ(tests::state_text(*state),
              R"({"size":3,"board":["...","A.B","..."],"players":[)"
              R"({"at":[0,0],"facing":"N","idle":0,"stalled":false,"bricks":1},)"
              R"({"at":[2,2],"facing":"S","idle":0,"stalled":false,"bricks":1}],"to_move":1})");
}

TEST_F(Walls, TellsWhatAMoveChanged) {
    const auto state = start(R"({"size": 3})");
    play(*state, {"\"R\"", none});
    EXPECT_EQ(tests::delta_json(*state), json::parse(R"([
        {"op": "replace", "path": "/players/0", "value":
            {"at": [1, 0], "facing": "N", "idle": 1, "stalled": false, "bricks": 0}},
        {"op": "replace", "path": "/to_move", "value": 1}])"));
    play(*state, {none, "\"R\""});
    play(*state, {"\"F\"", none});
    EXPECT_EQ(tests::delta_json(*state), json::parse(R"([
        {"op": "replace", "path": "/board/1", "value": "A.."},
        {"op": "replace", "path": "/players/0", "value":
            {"at": [0, 0], "facing": "N", "idle": 0, "stalled": false, "bricks": 1}},
        {"op": "replace", "path": "/to_move", "value": 1}])"));
    state->forfeit(1);
    EXPECT_EQ(tests::delta_json(*state),
              json::parse(R"([{"op": "replace", "path": "/to_move", "value": null}])"));
}

TEST_F(Walls, OnlyThePlayerToMoveIsHeard) {
    const auto state = start("{}");
    EXPECT_EQ(state->to_move(), Seats(1));
    EXPECT_THAT(play(*state, {"\"L\"", "{\"nonsense\": 1}"}), IsEmpty());
    EXPECT_EQ(state->to_move(), Seats(2));
    EXPECT_EQ(tests::state_json(*state).at("players").at(1).at("idle"), 0);
}

TEST_F(Walls, MissingAndMalformedMovesAreIdleMovesAndFaults) {
    struct Case {
        const char* move;
        const char* code;
    };
    const Case cases[] = {{"null", "missing_move"},     {"\"f\"", "malformed_move"},
                          {"\"\"", "malformed_move"},   {"\"FF\"", "malformed_move"},
                          {"\" F\"", "malformed_move"}, {"\"F\\n\"", "malformed_move"},
                          {"0", "malformed_move"},      {"[\"F\"]", "malformed_move"},
                          {"true", "malformed_move"},   {"{\"move\": \"F\"}", "malformed_move"}};
    for (const auto& [move, code] : cases) {
        const auto state = start("{}");
        const auto checked = tests::check(*state, 0, move);
        ASSERT_FALSE(checked) << move;
        EXPECT_EQ(checked.error().code, code) << move;
        const auto notes = play(*state, {move, none});
        ASSERT_EQ(notes.size(), 1U) << move;
        EXPECT_TRUE(notes[0].is_fault) << move;
        EXPECT_EQ(notes[0].code, code) << move;
        EXPECT_EQ(notes[0].message, checked.error().message);
        const auto player = tests::state_json(*state).at("players").at(0);
        EXPECT_EQ(player, json::parse(R"({"at": [2, 1], "facing": "W", "idle": 1,
                                          "stalled": false, "bricks": 0})"));
    }
    for (const auto* move : {"\"F\"", "\"L\"", "\"R\""}) {
        EXPECT_TRUE(tests::check(*start("{}"), 0, move)) << move;
    }
}

TEST_F(Walls, AMoveThatNeverCameIsMissing) {
    const auto state = start("{}");
    std::vector<Note> notes;
    const std::vector<Answer> absent(2);
    state->apply(absent, notes);
    EXPECT_THAT(tests::codes(notes), ElementsAre("missing_move"));
}

TEST_F(Walls, StallingIsTold) {
    const auto state = start("{}");
    for (int i = 0; i < 8; ++i) play_all(*state, "LL");
    EXPECT_THAT(tests::codes(play(*state, {"\"L\"", none})), ElementsAre("stalled"));
    EXPECT_EQ(state->to_move(), Seats(2));
    EXPECT_THAT(tests::codes(play(*state, {none, none})), ElementsAre("missing_move", "stalled"));
    EXPECT_TRUE(state->over());
    EXPECT_TRUE(tests::state_json(*state).at("to_move").is_null());
    EXPECT_EQ(tests::outcome_json(*state), json::parse(R"({"scores": [1, 1], "placing": [1, 1],
              "detail": {"bricks": [0, 0], "moves": 18}})"));
}

TEST_F(Walls, MoreBricksWin) {
    for (const int winner : {0, 1}) {
        const auto state = start(winner == 0 ? R"({"first": 0})" : R"({"first": 1})");
        play_all(*state, "RLF");  // the winner goes away from its square, the other turns
        while (!state->over()) play_all(*state, "L");
        const auto outcome = tests::outcome_json(*state);
        EXPECT_EQ(outcome.at("scores"), winner == 0 ? json({2, 0}) : json({0, 2}));
        EXPECT_EQ(outcome.at("placing"), winner == 0 ? json({1, 2}) : json({2, 1}));
        EXPECT_EQ(outcome.at("detail").at("bricks"), winner == 0 ? json({1, 0}) : json({0, 1}));
        EXPECT_EQ(outcome.at("detail").at("moves"), 2 + 9 + 9);
    }
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

namespace {

TEST(Golden, Playthroughs) {
    const auto game = make_game({});
    for (const auto* name : {"size_5_greedy", "size_3_full_board", "missing_and_malformed"}) {
        SCOPED_TRACE(name);
        tests::expect_golden(*game, "walls", name);
    }
}

}  // namespace

}  // namespace engines::walls
