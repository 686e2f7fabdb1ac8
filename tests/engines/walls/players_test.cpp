// The reference bots against one another, in process.

#include <gtest/gtest.h>
#include <array>
#include <vector>

#include "engines/walls/walls.h"
#include "sample_bots/cpp/walls/players.h"
#include "tests/engines/conformance/driver.h"

namespace bots::walls {

namespace {

using MakePlayer = std::unique_ptr<kit::Player> (*)(const kit::GameStart&);

constexpr std::int64_t budget_us = 10000;

// The scores of the two in a few games, in which no move is a fault.
std::vector<nlohmann::json> scores(MakePlayer a, MakePlayer b, int games) {
    const auto game = engines::walls::make_game({});
    std::vector<nlohmann::json> all;
    for (int i = 0; i < games; ++i) {
        const auto state = tests::start(*game, i % 2 == 0 ? "{}" : R"({"first": 1})");
        const std::string game_id = "game " + std::to_string(i);
        kit::GameStart start;
        start.game_id = game_id;
        start.game = "walls";
        std::array<std::unique_ptr<kit::Player>, 2> players;
        for (const std::size_t seat : {0U, 1U}) {
            start.seat = seat;
            players[seat] = (seat == 0 ? a : b)(start);
        }
        while (!state->over()) {
            protocol::json::Document document;
            EXPECT_TRUE(document.parse(tests::state_text(*state)));
            const std::size_t seat = state->to_move()[0] ? 0 : 1;
            const auto move = players[seat]->move({1, budget_us, document.root()});
            const auto notes = tests::play(*state, {move, move});
            for (const auto& note : notes) EXPECT_FALSE(note.is_fault) << note.message;
        }
        all.push_back(tests::outcome_json(*state).at("scores"));
    }
    return all;
}

TEST(Players, MakeNoFaultsAndThoseWithoutAClockPlayTheSameGameAgain) {
    scores(make_minimax, make_greedy, 1);
    EXPECT_EQ(scores(make_random, make_greedy, 10), scores(make_random, make_greedy, 10));
    EXPECT_EQ(scores(make_random, make_random, 10), scores(make_random, make_random, 10));
}

TEST(Players, SurviveAStateThatTheyDoNotKnow) {
    for (const auto make : {make_random, make_greedy, make_minimax}) {
        const auto player = make({});
        for (const auto* text : {"{}", "null", R"({"size": 3, "to_move": 0, "board": ["..."]})",
                                 R"({"size": 5, "to_move": null})"}) {
            protocol::json::Document document;
            ASSERT_TRUE(document.parse(text));
            EXPECT_EQ(player->move({1, budget_us, document.root()}).size(), 3U) << text;
        }
    }
}

namespace rules = engines::walls;
using rules::Facing;
using rules::Move;

struct Case {
    const char* name;
    std::string squares;
    rules::Square at;
    Facing facing;
    Move expected;
};

// Of player A, on a board of size 3; B stands on [1, 2].
const Case cases[] = {
    {"LaysABrickWhereItCan", ".........", {1, 0}, Facing::north, Move::forward},
    {"TurnsFromTheEdge", ".........", {1, 0}, Facing::west, Move::left},
    {"TurnsRightWhereLeftIsLonger", ".......B.", {2, 0}, Facing::west, Move::right},
    {"WalksOverItsOwnBricks", "A..A..ABB", {2, 0}, Facing::north, Move::forward},
    {"LooksForTheNearestUnmarkedSquare", "AA.AB.BBB", {0, 0}, Facing::south, Move::left},
    {"TurnsLeftWhereAllIsLost", "AB.BB.BBB", {0, 0}, Facing::south, Move::left},
};

TEST(Greedy, TakesTheShortestWayToTheNextBrick) {
    for (const auto& [name, squares, at, facing, expected] : cases) {
        rules::Pawn a;
        a.at = at;
        a.facing = facing;
        rules::Pawn b;
        b.at = {1, 2};
        const rules::Position position(rules::size_min, squares, {a, b}, 0);
        EXPECT_EQ(greedy_move(position), expected) << name;
    }
}

}  // namespace

}  // namespace bots::walls
