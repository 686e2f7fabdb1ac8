// Each rule of a move, on positions of size 3 drawn as text.

#include <gtest/gtest.h>

#include "engines/walls/position.h"

namespace engines::walls {
namespace {

struct Shown {
    std::string squares;
    Pawn a;
    Pawn b;
    int to_move = 0;
};

struct RuleCase {
    const char* name;
    Shown before;
    Move move;
    Shown after;
};

constexpr auto N = Facing::north;
constexpr auto E = Facing::east;
constexpr auto S = Facing::south;
constexpr auto W = Facing::west;

Pawn pawn(Square at, Facing facing, int idle, int bricks) {
    return {at, facing, idle, idle == idle_max, bricks};
}

const Pawn a_home = pawn({1, 0}, W, 0, 0);
const Pawn b_home = pawn({1, 2}, E, 0, 0);
const std::string clear = ".........";

const RuleCase rule_cases[] = {
    {"TurnLeftFromWestIsSouth",
     {clear, a_home, b_home, 0},
     Move::left,
     {clear, pawn({1, 0}, S, 1, 0), b_home, 1}},
    {"TurnRightFromWestIsNorth",
     {clear, a_home, b_home, 0},
     Move::right,
     {clear, pawn({1, 0}, N, 1, 0), b_home, 1}},
    {"TurnLeftFromNorthIsWest",
     {clear, pawn({1, 0}, N, 0, 0), b_home, 0},
     Move::left,
     {clear, pawn({1, 0}, W, 1, 0), b_home, 1}},
    {"TurnRightFromEastIsSouth",
     {clear, a_home, b_home, 1},
     Move::right,
     {clear, a_home, pawn({1, 2}, S, 1, 0), 0}},
    {"ForwardOffTheBoardIsAFailedTry",
     {clear, a_home, b_home, 0},
     Move::forward,
     {clear, pawn({1, 0}, W, 1, 0), b_home, 1}},
    {"ForwardOffTheLastColumnIsAFailedTry",
     {clear, a_home, b_home, 1},
     Move::forward,
     {clear, a_home, pawn({1, 2}, E, 1, 0), 0}},
    {"ForwardOffAnUnmarkedSquareLeavesABrickAndResetsIdle",
     {clear, pawn({1, 0}, N, 8, 0), b_home, 0},
     Move::forward,
     {"...A.....", pawn({0, 0}, N, 0, 1), b_home, 1}},
    {"BricksAreLeftByTheirOwnLetter",
     {clear, a_home, pawn({1, 2}, S, 2, 0), 1},
     Move::forward,
     {".....B...", a_home, pawn({2, 2}, S, 0, 1), 0}},
    {"ForwardOffAnOwnBrickLeavesNothingNew",
     {"...A.....", pawn({1, 0}, N, 3, 1), b_home, 0},
     Move::forward,
     {"...A.....", pawn({0, 0}, N, 4, 1), b_home, 1}},
    {"ForwardOntoAnOwnBrickIsAllowed",
     {"A........", pawn({1, 0}, N, 0, 1), b_home, 0},
     Move::forward,
     {"A..A.....", pawn({0, 0}, N, 0, 2), b_home, 1}},
    {"ForwardOntoTheOthersBrickIsAFailedTry",
     {"B........", pawn({1, 0}, N, 0, 0), pawn({1, 2}, E, 0, 1), 0},
     Move::forward,
     {"B........", pawn({1, 0}, N, 1, 0), pawn({1, 2}, E, 0, 1), 1}},
    {"ForwardOntoTheOtherIsAFailedTry",
     {clear, pawn({1, 1}, E, 0, 0), b_home, 0},
     Move::forward,
     {clear, pawn({1, 1}, E, 1, 0), b_home, 1}},
    {"NoMoveIsAnIdleMove",
     {clear, pawn({1, 0}, N, 4, 0), b_home, 0},
     Move::none,
     {clear, pawn({1, 0}, N, 5, 0), b_home, 1}},
    {"TheNinthIdleMoveStalls",
     {clear, pawn({1, 0}, N, 8, 0), b_home, 0},
     Move::left,
     {clear, pawn({1, 0}, W, 9, 0), b_home, 1}},
    {"TheOtherGoesOnAlone",
     {clear, pawn({1, 0}, N, 9, 0), pawn({1, 2}, N, 0, 0), 1},
     Move::forward,
     {".....B...", pawn({1, 0}, N, 9, 0), pawn({0, 2}, N, 0, 1), 1}},
    {"BothStalledIsTheEnd",
     {clear, pawn({1, 0}, N, 9, 0), pawn({1, 2}, E, 8, 0), 1},
     Move::forward,
     {clear, pawn({1, 0}, N, 9, 0), pawn({1, 2}, E, 9, 0), nobody}},
    {"TheLastUnmarkedSquareIsTheEnd",
     {"AAAA.ABBB", pawn({1, 1}, N, 2, 5), pawn({2, 2}, E, 4, 3), 0},
     Move::forward,
     {"AAAAAABBB", pawn({0, 1}, N, 0, 6), pawn({2, 2}, E, 4, 3), nobody}},
    {"AFullBoardEndsAlsoWhereTheOtherIsStalled",
     {"AAAA.ABBB", pawn({1, 1}, N, 2, 5), pawn({2, 2}, E, 9, 3), 0},
     Move::forward,
     {"AAAAAABBB", pawn({0, 1}, N, 0, 6), pawn({2, 2}, E, 9, 3), nobody}},
};

class Rule : public testing::TestWithParam<RuleCase> {};

TEST_P(Rule, PlaysAndTakesBack) {
    const auto& [name, before, move, after] = GetParam();
    Position position(size_min, before.squares, {before.a, before.b}, before.to_move);
    const auto played = position.play(move);
    EXPECT_EQ(position.board(), after.squares);
    EXPECT_EQ(position.pawn(0), after.a);
    EXPECT_EQ(position.pawn(1), after.b);
    EXPECT_EQ(position.to_move(), after.to_move);
    position.undo(played);
    EXPECT_EQ(position.board(), before.squares);
    EXPECT_EQ(position.pawn(0), before.a);
    EXPECT_EQ(position.pawn(1), before.b);
    EXPECT_EQ(position.to_move(), before.to_move);
}

INSTANTIATE_TEST_SUITE_P(Walls, Rule, testing::ValuesIn(rule_cases),
                         [](const auto& test) { return test.param.name; });

TEST(Start, PlayersStandBesideTheCentreAndLookOutward) {
    struct Expected {
        int size;
        Square a;
        Square b;
    };
    for (const auto& [size, a, b] : {Expected{3, {1, 0}, {1, 2}}, Expected{5, {2, 1}, {2, 3}},
                                     Expected{99, {49, 48}, {49, 50}}}) {
        for (const int first : {0, 1}) {
            const Position position(size, first);
            EXPECT_EQ(position.pawn(0), pawn(a, W, 0, 0));
            EXPECT_EQ(position.pawn(1), pawn(b, E, 0, 0));
            EXPECT_EQ(position.to_move(), first);
            EXPECT_EQ(position.bricks(), 0);
            EXPECT_EQ(position.squares(), size * size);
        }
    }
}

}  // namespace
}  // namespace engines::walls
