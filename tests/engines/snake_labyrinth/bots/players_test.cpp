// The reference bots against the engine, in process; their simple strategies; the old program.

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include "engines/snake_labyrinth/snake_labyrinth.h"
#include "sample_bots/cpp/snake_labyrinth/players.h"
#include "sample_bots/cpp/snake_labyrinth/ways.h"
#include "tests/engines/conformance/driver.h"
#include "tests/engines/snake_labyrinth/game.h"
#include "tests/json.h"
#include "tests/places.h"

namespace {

using nlohmann::json;

const auto game = engines::snake_labyrinth::make_game({});

struct Played {
    json outcome;
    std::size_t turns = 0;
    std::size_t faults = 0;
};

Played play_bot(const bots::MakePlayer& make_player, const std::string& params,
                const std::string& game_id = "game") {
    auto state = tests::start(*game, params);
    protocol::json::Document params_json, state_json;
    EXPECT_TRUE(params_json.parse(tests::full_params(*game, params)));
    EXPECT_TRUE(state_json.parse(tests::state_text(*state)));
    bots::GameStart start;
    start.game_id = game_id;
    start.game = "snake_labyrinth";
    start.params = params_json.root();
    start.state = state_json.root();
    const auto player = make_player(start);
    Played played;
    while (!state->over()) {
        EXPECT_TRUE(state_json.parse(tests::state_text(*state)));
        const auto move = player->move(
            {static_cast<std::int64_t>(++played.turns), 60'000'000, state_json.root()});
        for (const auto& note : tests::play(*state, {move})) played.faults += note.is_fault ? 1 : 0;
    }
    played.outcome = tests::outcome_json(*state);
    return played;
}

TEST(RandomBot, WalledInItMakesIllegalSteps) {
    const auto played =
        play_bot(bots::snake_labyrinth::make_random, R"({"board": ["o#_"], "max_steps": 5})");
    EXPECT_EQ(played.faults, 5U);
}

std::string right_hand(const std::vector<std::string>& rows, std::int64_t steps_max = 1000) {
    return bots::snake_labyrinth::right_hand_plan(
        {bots::snake_labyrinth::Walk(tests::board_of(rows), true), steps_max});
}

TEST(RightHand, FollowsTheWall) {
    EXPECT_EQ(right_hand({"#####", "o   _", "#####"}), "EEEE");
    EXPECT_EQ(right_hand({"#####", "o   #", "#   _", "#####"}), "ESEEE");
    EXPECT_EQ(right_hand({"#####", "_   o", "#####"}), "OOOO");
    // Into the dead end and out again.
    EXPECT_EQ(right_hand({"######", "o    _", "## ###", "## ###", "######"}), "EESSNNEEE");
    // From the middle of a hall to a wall first.
    EXPECT_EQ(right_hand({"######", "#    #", "# o  #", "#    #", "#_####"}), "EENOOOSSS");
    EXPECT_EQ(right_hand({"#####", "o   #", "#   _", "#####"}, 3), "ESE");
}

// Round an island for ever, if it didn't notice.
TEST(RightHand, LeavesAnIslandByTheShortestWay) {
    const std::vector<std::string> rows{"#######", "#     #", "# ### #", "# #o# #",
                                        "# # # #", "#     _", "#######"};
    const bots::snake_labyrinth::Walk walk(tests::board_of(rows), true);
    EXPECT_TRUE(bots::snake_labyrinth::walk_route({walk, 1000}, right_hand(rows)).is_out);
}

TEST(RightHand, LeavesEveryShippedMazeInOnePlan) {
    for (const auto& name : game->maps()->names()) {
        const auto played =
            play_bot(bots::snake_labyrinth::make_right_hand, game->maps()->params_for_map(name));
        EXPECT_EQ(played.turns, 1U) << name;
        EXPECT_EQ(played.faults, 0U) << name;
        EXPECT_EQ(played.outcome.at("detail").at("finished"), true) << name;
    }
}

// A bot that comes back in the middle of a game goes on from there.
TEST(Reading, TakesUpAGameUnderWay) {
    const std::string params =
        R"({"board": ["########", "oT$$$$ #", "#  # $ _", "########"], "max_steps": 90})";
    auto state = tests::start(*game, params);
    tests::play(*state, {R"("EEEES")"});
    protocol::json::Document params_json, state_json;
    ASSERT_TRUE(params_json.parse(tests::full_params(*game, params)));
    ASSERT_TRUE(state_json.parse(tests::state_text(*state)));
    auto position = bots::snake_labyrinth::read_position(params_json.root(), state_json.root());
    ASSERT_TRUE(position);
    auto& walk = position->walk;
    const auto shown = tests::state_json(*state);
    EXPECT_EQ(position->steps_max, 90);
    EXPECT_EQ(walk.coins(), shown.at("coins"));
    EXPECT_EQ(walk.drill_uses(), shown.at("drill"));
    EXPECT_EQ(walk.body_length(), shown.at("body").size());
    EXPECT_EQ(walk.path(), "");
    for (const auto direction :
         {engines::snake_labyrinth::Direction::east, engines::snake_labyrinth::Direction::north,
          engines::snake_labyrinth::Direction::west, engines::snake_labyrinth::Direction::south}) {
        walk.step(direction);
        tests::play(*state,
                    {json(std::string(1, engines::snake_labyrinth::letter_of(direction))).dump()});
        const auto after = tests::state_json(*state);
        EXPECT_EQ(walk.coins(), after.at("coins"));
        EXPECT_EQ(walk.score(), after.at("score"));
        json body = json::array();
        for (const auto square : walk.body()) {
            body.push_back({walk.board().row_of(square), walk.board().column_of(square)});
        }
        EXPECT_EQ(body, after.at("body"));
    }
}

TEST(Reading, RefusesWhatIsNoPosition) {
    const auto params = json::parse(tests::full_params(*game, R"({"board": ["o$ _"]})"));
    const auto state = tests::state_json(*tests::start(*game, params.dump()));
    const auto reads = [&](const json& some_params, const json& some_state) {
        protocol::json::Document params_json, state_json;
        EXPECT_TRUE(params_json.parse(some_params.dump()));
        EXPECT_TRUE(state_json.parse(some_state.dump()));
        return bots::snake_labyrinth::read_position(params_json.root(), state_json.root())
            .has_value();
    };
    EXPECT_TRUE(reads(params, state));
    for (const auto* name : {"level", "max_steps"}) {
        auto less = params;
        less.erase(name);
        EXPECT_FALSE(reads(less, state)) << name;
    }
    for (const auto* name : {"board", "head", "coins", "drill", "steps"}) {
        for (const auto& junk :
             {json(), json(-1), json("x"), json::array({99, 99}), json::array({"x"})}) {
            if (junk == -1 && name != std::string("board") && name != std::string("head")) continue;
            auto other = state;
            other[name] = junk;
            EXPECT_FALSE(reads(params, other)) << name << junk;
        }
    }
    for (const auto* body : {"[[0,2]]", "[[5,5]]", "[5]", "[[0,0]]"}) {
        auto other = state;
        other["body"] = json::parse(body);
        EXPECT_FALSE(reads(params, other)) << body;
    }
}

struct ClosePipe {
    void operator()(std::FILE* pipe) const { pclose(pipe); }
};

// The text goes in by the shell, as in the course.
std::string run_challenge(const std::string& text) {
    const auto command =
        "printf '" + text + "' | " + tests::binary_root() + "/bin/snake-challenge --challenge 2>&1";
    const std::unique_ptr<std::FILE, ClosePipe> pipe(popen(command.c_str(), "r"));
    std::string output;
    std::array<char, 256> part{};
    while (std::fgets(part.data(), static_cast<int>(part.size()), pipe.get()) != nullptr)
        output += part.data();
    return output;
}

TEST(ChallengeProgram, PrintsOneLineOfLetters) {
    EXPECT_EQ(run_challenge("5\\n3\\n#####\\no $ _\\n#####\\n"), "EEEE\n");
    EXPECT_EQ(run_challenge("4\\n2\\n  o \\n   _\\n"), "SE\n");
    const auto handout = game->maps()->text("handout").value();
    const auto letters = run_challenge(handout);
    auto state = tests::start(*game, R"({"maze": "handout"})");
    tests::play(*state, {json(letters.substr(0, letters.size() - 1)).dump()});
    EXPECT_EQ(tests::outcome_json(*state).at("scores"), json::array({1044}));
}

TEST(ChallengeProgram, SaysWhatIsWrongWithABoard) {
    EXPECT_EQ(run_challenge("5\\n3\\n#####\\n"),
              "snake-challenge: line 4: row 1: expected 3 rows, and here are 1\n");
}

}  // namespace
