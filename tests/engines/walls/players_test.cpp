#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "sample_bots/cpp/walls/players.h"

namespace bots::walls {

namespace {

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

// Who moves first wins on a board of size 3.
TEST(Minimax, WinsSizeThreeWhereItMovesFirst) {
    // time: none, as nothing here ends by the clock
    constexpr auto no_deadline = std::chrono::steady_clock::time_point::max();
    for (int first = 0; first < rules::players; ++first) {
        rules::Position position(rules::size_min, first);
        Minimax search;
        while (!position.over()) {
            const bool own = position.to_move() == first;
            const auto move = own ? search.choose(position, no_deadline) : greedy_move(position);
            EXPECT_TRUE(!own || search.proven());
            position.play(move);
        }
        EXPECT_GT(position.pawn(first).bricks, position.pawn(1 - first).bricks) << first;
    }
}

TEST(Minimax, StopsAtItsDeadline) {
    Minimax search;
    for (const int size : {3, 5, 99}) {
        // time: a deadline that is over already
        search.choose(rules::Position(size, 0), std::chrono::steady_clock::now());
        EXPECT_LT(search.depth(), 9) << size;
    }
}

}  // namespace

}  // namespace bots::walls
