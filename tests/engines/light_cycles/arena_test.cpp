// Each numbered rule of a turn, on small grids.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/engines/light_cycles/drawing.h"

namespace engines::light_cycles {
namespace {

using testing::ElementsAre;
using enum Verdict;

constexpr auto int_max = std::numeric_limits<std::int64_t>::max();
constexpr auto int_min = std::numeric_limits<std::int64_t>::min();

// Two teams of one cycle on 4 x 3, far from one another.
Setup two() {
    return small_setup(4, 3, 2, {{0, 0}, {3, 2}});
}

TEST(Start, StartsAreOccupied) {
    const Arena arena(two());
    EXPECT_THAT(drawn(arena), ElementsAre("#...", "....", "...#"));
    EXPECT_EQ(arena.living_teams(), 2U);
    EXPECT_EQ(arena.turn(), 0);
}

// Rule 1: times add up, for teams that are out too, and the mean is total / turns played.
TEST(Rule1, TimesAddUpAlsoForATeamThatIsOut) {
    Arena arena(small_setup(9, 1, 3, {{0, 0}, {4, 0}, {8, 0}}));
    go(arena, {{1, 0}, {0, 0}, {7, 0}}, {10, 20, 30});
    EXPECT_EQ(arena.living_of(1), 0U);
    go(arena, {{2, 0}, {0, 0}, {6, 0}}, {1, 2, 3});
    EXPECT_EQ(arena.used_us(0), 11);
    EXPECT_EQ(arena.used_us(1), 22);
    EXPECT_EQ(arena.used_us(2), 33);
}

struct MeanCase {
    const char* name;
    std::int64_t budget_us;
    std::int64_t grace_turns;
    std::vector<std::int64_t> used_us;  // of team 0, turn by turn
    std::int64_t out_in_turn;           // 0: never
};

const MeanCase mean_cases[] = {
    {"ExactlyTheBudgetIsFine", 10, 0, {10, 10, 10}, 0},
    {"OneMoreIsOut", 10, 0, {11}, 1},
    {"AnEarlierTurnMakesUpForIt", 10, 0, {5, 15, 10}, 0},
    {"AFractionOverIsOut", 10, 0, {10, 10, 11}, 3},
    {"GraceTurnsArePlayedThrough", 10, 2, {90, 0, 0}, 3},
    {"GraceIsOverOnceMoreTurnsArePlayed", 10, 1, {90, 0, 0}, 2},
    {"GraceForgetsWhatIsMadeUpFor", 10, 2, {30, 0, 0}, 0},
    {"TheLeastBudget", 1, 0, {0, 2, 1, 2}, 4},
    {"TheLargestChargesDontRunOver", 10, 1, {int_max, int_max, int_max}, 2},
    {"TheLargestBudgetIsNeverOver", int_max, 0, {int_max, int_max, int_max}, 0},
};

TEST(Rule1, MeanOverTheBudgetIsOut) {
    for (const auto& [name, budget_us, grace_turns, used_us, out_in_turn] : mean_cases) {
        SCOPED_TRACE(name);
        auto setup = small_setup(9, 3, 3, {{0, 0}, {0, 1}, {0, 2}});
        setup.mean_budget_us = budget_us;
        setup.grace_turns = grace_turns;
        Arena arena(setup);
        for (const auto charge : used_us) {
            const int x = static_cast<int>(arena.turn()) + 1;
            const auto verdicts = go(arena, {{x, 0}, {x, 1}, {x, 2}}, {charge, 0, 0});
            EXPECT_EQ(verdicts[0] == over_mean, arena.turn() == out_in_turn);
            EXPECT_EQ(verdicts[1], moved);
        }
        EXPECT_EQ(arena.eliminated_turn(0).value_or(0), out_in_turn);
    }
}

TEST(Rule1, ATeamOverItsMeanLosesAllItsCyclesAndContestsNothing) {
    auto setup = small_setup(5, 2, 2, {{0, 0}, {0, 1}, {2, 0}, {4, 1}});
    setup.mean_budget_us = 10;
    Arena arena(setup);
    EXPECT_THAT(go(arena, {{1, 0}, {1, 1}, {1, 0}, {3, 1}}, {11, 10}),
                ElementsAre(over_mean, over_mean, moved, moved));
    EXPECT_THAT(drawn(arena), ElementsAre(".##..", "...##"));
}

struct JudgeCase {
    const char* name;
    Choice choice;
    Verdict verdict;
};

// For the cycle on [1, 1] of a 4 x 3 grid, with the other on [2, 1] and its trail from [3, 1].
const JudgeCase judge_cases[] = {
    {"Missing", {}, missing},
    {"Malformed", {Choice::Kind::malformed, 1, 0}, malformed},
    {"Up", to({1, 0}), moved},
    {"Down", to({1, 2}), moved},
    {"Left", to({0, 1}), occupied},
    {"RightIsTheOtherCycle", to({2, 1}), occupied},
    {"StandingStill", to({1, 1}), not_a_step},
    {"Diagonal", to({0, 0}), not_a_step},
    {"TwoSteps", to({1, 3}), outside},
    {"TwoStepsRight", to({3, 1}), not_a_step},
    {"FarAway", to({3, 2}), not_a_step},
    {"Negative", to({-1, 1}), outside},
    {"BeyondTheWidth", to({4, 1}), outside},
    {"Terminated", to({-1, -1}), outside},
    {"LargestIntegers", {Choice::Kind::cell, int_max, int_max}, outside},
    {"SmallestIntegers", {Choice::Kind::cell, int_min, int_min}, outside},
};

TEST(Rule2, EachEntryIsJudgedAlone) {
    Arena arena(small_setup(4, 3, 2, {{0, 1}, {3, 1}}));
    go(arena, {{1, 1}, {2, 1}});
    for (const auto& [name, choice, verdict] : judge_cases) {
        EXPECT_EQ(arena.judge(0, choice), verdict) << name;
    }
}

TEST(Rule2, EveryEdgeIsAnEdge) {
    const Arena arena(small_setup(2, 2, 2, {{0, 0}, {1, 1}}));
    EXPECT_EQ(arena.judge(0, to({-1, 0})), outside);
    EXPECT_EQ(arena.judge(0, to({0, -1})), outside);
    EXPECT_EQ(arena.judge(1, to({2, 1})), outside);
    EXPECT_EQ(arena.judge(1, to({1, 2})), outside);
}

TEST(Rule2, CyclesThatSwapPlacesAreBothTerminated) {
    Arena arena(small_setup(2, 1, 2, {{0, 0}, {1, 0}}));
    EXPECT_THAT(go(arena, {{1, 0}, {0, 0}}), ElementsAre(occupied, occupied));
    EXPECT_EQ(arena.living_teams(), 0U);
}

TEST(Rule2, ACellThatIsLeftInTheSameTurnIsOccupied) {
    Arena arena(small_setup(4, 1, 2, {{0, 0}, {1, 0}}));
    EXPECT_THAT(go(arena, {{1, 0}, {2, 0}}), ElementsAre(occupied, moved));
}

TEST(Rule2, TrailsOfCyclesThatAreTerminatedStillBlockInThisTurn) {
    Arena arena(small_setup(3, 3, 3, {{1, 1}, {0, 1}, {2, 2}}));
    // Cycle 0 goes nowhere; cycle 1 wants its cell, which is free only from the next turn on.
    EXPECT_THAT(go(arena, {{1, 1}, {1, 1}, {2, 1}}), ElementsAre(not_a_step, occupied, moved));
}

struct ContestCase {
    const char* name;
    std::vector<std::int64_t> used_us;
    std::vector<Verdict> verdicts;
};

// Cycles left of, right of and above the cell that all want; each a team of its own.
const ContestCase contest_cases[] = {
    {"LeastTimeGetsTheCell", {1, 2, 3}, {moved, contest_lost, contest_lost}},
    {"WhoeverItIs", {3, 1, 2}, {contest_lost, moved, contest_lost}},
    {"TheLeastIsShared", {1, 1, 3}, {contest_tied, contest_tied, contest_lost}},
    {"TheOthersShare", {1, 3, 3}, {moved, contest_lost, contest_lost}},
    {"AllShare", {2, 2, 2}, {contest_tied, contest_tied, contest_tied}},
};

TEST(Rule3, LeastTotalTimeDecidesAContest) {
    for (const auto& [name, used_us, verdicts] : contest_cases) {
        SCOPED_TRACE(name);
        Arena arena(small_setup(3, 2, 3, {{0, 1}, {2, 1}, {1, 0}}));
        EXPECT_EQ(go(arena, {{1, 1}, {1, 1}, {1, 1}}, used_us), verdicts);
        const bool won = std::count(verdicts.begin(), verdicts.end(), moved) > 0;
        EXPECT_EQ(arena.occupied({1, 1}), won);
    }
}

TEST(Rule3, TheTotalCountsAndThisTurnWithIt) {
    Arena arena(small_setup(7, 1, 2, {{0, 0}, {6, 0}}));
    go(arena, {{1, 0}, {5, 0}}, {10, 1});
    go(arena, {{2, 0}, {4, 0}}, {0, 8});
    EXPECT_THAT(go(arena, {{3, 0}, {3, 0}}, {0, 2}), ElementsAre(moved, contest_lost));
}

TEST(Rule3, TwoCyclesOfOneTeamAlwaysShare) {
    Arena arena(small_setup(3, 2, 2, {{0, 1}, {2, 1}, {1, 0}, {0, 0}}));
    // Team 0 has used less, but two of its cycles want the cell: it is nobody's.
    EXPECT_THAT(go(arena, {{1, 1}, {1, 1}, {1, 1}, {0, 1}}, {1, 2}),
                ElementsAre(contest_tied, contest_tied, contest_lost, occupied));
}

TEST(Rule3, ThirdTeamMayWinWhatTwoOfOneTeamContest) {
    Arena arena(small_setup(3, 3, 2, {{0, 1}, {2, 1}, {1, 0}, {0, 2}}));
    EXPECT_THAT(go(arena, {{1, 1}, {1, 1}, {1, 1}, {1, 2}}, {2, 1}),
                ElementsAre(contest_lost, contest_lost, moved, moved));
}

TEST(Rule3, ContestsAreSettledOneByOne) {
    Arena arena(small_setup(7, 1, 2, {{0, 0}, {4, 0}, {2, 0}, {6, 0}}));
    EXPECT_THAT(go(arena, {{1, 0}, {5, 0}, {1, 0}, {5, 0}}, {2, 1}),
                ElementsAre(contest_lost, contest_lost, moved, moved));
}

TEST(Rule4, TheWholeTrailOfATerminatedCycleBecomesFree) {
    Arena arena(small_setup(4, 3, 2, {{0, 0}, {0, 2}}));
    go(arena, {{1, 0}, {1, 2}});
    go(arena, {{1, 1}, {2, 2}});
    go(arena, {{2, 1}, {3, 2}});
    EXPECT_THAT(drawn(arena), ElementsAre("##..", ".##.", "####"));
    EXPECT_THAT(go(arena, {{2, 2}, {3, 1}}), ElementsAre(occupied, moved));
    EXPECT_THAT(drawn(arena), ElementsAre("....", "...#", "####"));
    EXPECT_EQ(arena.position(0), nowhere);
}

TEST(Rule4, ContestedCellsStayFreeWhereNobodyGetsThem) {
    Arena arena(small_setup(3, 1, 2, {{0, 0}, {2, 0}}));
    go(arena, {{1, 0}, {1, 0}});
    EXPECT_THAT(drawn(arena), ElementsAre("..."));
}

TEST(Rule4, TrailsOfOthersStay) {
    Arena arena(small_setup(3, 3, 3, {{0, 0}, {0, 1}, {0, 2}}));
    go(arena, {{1, 0}, {1, 1}, {1, 2}});
    go(arena, {{2, 0}, {1, 0}, {2, 2}});
    EXPECT_THAT(drawn(arena), ElementsAre("###", "...", "###"));
}

TEST(Rule5, LivesAndEliminationsAreCounted) {
    Arena arena(small_setup(6, 2, 2, {{0, 0}, {0, 1}, {5, 0}, {5, 1}}));
    go(arena, {{0, 0}, {1, 1}, {4, 0}, {4, 1}});
    EXPECT_EQ(arena.living_of(0), 1U);
    EXPECT_EQ(arena.living_teams(), 2U);
    EXPECT_EQ(arena.eliminated_turn(0), std::nullopt);
    go(arena, {{0, 0}, {1, 1}, {3, 0}, {3, 1}});
    EXPECT_EQ(arena.living_of(0), 0U);
    EXPECT_EQ(arena.living_teams(), 1U);
    EXPECT_EQ(arena.eliminated_turn(0), 2);
    EXPECT_EQ(arena.eliminated_turn(1), std::nullopt);
}

TEST(Eliminate, TerminatesATeamBetweenTurns) {
    Arena arena(small_setup(4, 2, 2, {{0, 0}, {0, 1}, {3, 0}, {3, 1}}));
    go(arena, {{1, 0}, {0, 1}, {2, 0}, {2, 1}});
    arena.eliminate(1);
    EXPECT_THAT(drawn(arena), ElementsAre("##..", "...."));
    EXPECT_EQ(arena.eliminated_turn(1), 1);
    EXPECT_EQ(arena.turn(), 1);
}

}  // namespace
}  // namespace engines::light_cycles
