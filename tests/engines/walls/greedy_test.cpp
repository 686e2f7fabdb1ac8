#include "sample_bots/cpp/walls/greedy.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace bots::walls
