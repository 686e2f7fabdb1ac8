// A small position for each sentence about a step: a board, a plan, and the whole state after it.

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "engines/snake_labyrinth/snake_labyrinth.h"
#include "tests/engines/conformance/driver.h"
#include "tests/engines/snake_labyrinth/game.h"
#include "tests/json.h"

namespace {

using nlohmann::json;
using Rows = std::vector<std::string>;

struct StepCase {
    std::string name;
    Rows board;
    std::string level;
    std::string plan;
    // Expected.
    Rows left;  // the board
    std::string head, body;
    int coins, drill, steps, score;
    bool finished = false;

    friend void PrintTo(const StepCase& one, std::ostream* out) { *out << one.name; }
};

const Rows hall = {"#########", "o       _", "#       #", "#       #", "#########"};
const Rows empty_hall = {"#########", "        _", "#       #", "#       #", "#########"};
const Rows coins = {"########", "o$$$$  _", "#      #", "########"};
const Rows no_coins = {"########", "       _", "#      #", "########"};
const Rows dead_end = {"########", "o$$$$#_#", "##### ##", "########"};
const Rows dead_end_eaten = {"########", "     #_#", "##### ##", "########"};

const StepCase step_cases[] = {
    {"AtFirst_TheStartIsShownAsASpace", hall, "final", "", empty_hall, "[1,0]", "[]", 0, 0, 0,
     1000},
    {"AStep_CostsAPoint", hall, "final", "E", empty_hall, "[1,1]", "[]", 0, 0, 1, 999},
    {"N_IsUp", hall, "final", "ESSN", empty_hall, "[2,1]", "[]", 0, 0, 4, 996},
    {"O_IsWest", hall, "final", "EEO", empty_hall, "[1,1]", "[]", 0, 0, 3, 997},
    {"TheStartCanBeEnteredAgain", hall, "final", "EO", empty_hall, "[1,0]", "[]", 0, 0, 2, 998},
    {"ACoin_GrowsTheBodyOnTheCellThatTheHeadLeft",
     {"#####", "o $ _", "#####"},
     "final",
     "EE",
     {"#####", "    _", "#####"},
     "[1,2]",
     "[[1,1]]",
     1,
     0,
     2,
     1008},
    {"TheHandoutsTinyLabyrinth_Gives1006",
     {"#####", "o $ _", "#####"},
     "final",
     "EEEE",
     {"#####", "    _", "#####"},
     "[1,4]",
     "[[1,3]]",
     1,
     0,
     4,
     1006,
     true},
    {"TheTailStaysWhenTheBodyGrows",
     coins,
     "final",
     "EE",
     {"########", "   $$  _", "#      #", "########"},
     "[1,2]",
     "[[1,1],[1,0]]",
     2,
     0,
     2,
     1018},
    {"EachSegmentTakesTheCellOfTheOneBefore", coins, "final", "EEEES", no_coins, "[2,4]",
     "[[1,4],[1,3],[1,2],[1,1]]", 4, 0, 5, 1035},
    {"AnEatenCoinIsGone",
     coins,
     "final",
     "EOE",
     {"########", "  $$$  _", "#      #", "########"},
     "[1,1]",
     "[[1,0]]",
     1,
     0,
     3,
     1007},
    {"WithoutABody_CoinsAreAPlainCounter", coins, "challenge1", "EEEEOOOO", no_coins, "[1,0]", "[]",
     4, 0, 8, 1032},
    {"WithoutABody_CrossingIsHarmless", coins, "challenge1", "EEEESONE", no_coins, "[1,4]", "[]", 4,
     0, 8, 1032},
    {"Challenge2_HasNoBody",
     {"#######", "o$$   #", "# !   _", "#######"},
     "challenge2",
     "EEO",
     {"#######", "      #", "# !   _", "#######"},
     "[1,1]",
     "[]",
     2,
     0,
     3,
     1017},
    {"Challenge3_HasABody",
     {"#######", "o$$   #", "# !   _", "#######"},
     "challenge3",
     "EE",
     {"#######", "      #", "# !   _", "#######"},
     "[1,2]",
     "[[1,1],[1,0]]",
     2,
     0,
     2,
     1018},
    {"AMishap_HalvesFromTheTail",
     {"########", "o$$$$! _", "########"},
     "final",
     "EEEEE",
     {"########", "       _", "########"},
     "[1,5]",
     "[[1,4],[1,3]]",
     2,
     0,
     5,
     1015},
    {"AMishap_HalvesRoundedDown",
     {"########", "o$$$ ! _", "########"},
     "final",
     "EEEEE",
     {"########", "       _", "########"},
     "[1,5]",
     "[[1,4]]",
     1,
     0,
     5,
     1005},
    {"AMishap_TakesTheOnlyCoin",
     {"########", "o$ ! $ _", "########"},
     "final",
     "EEE",
     {"########", "     $ _", "########"},
     "[1,3]",
     "[]",
     0,
     0,
     3,
     997},
    {"AMishap_WithNothingToHalve",
     {"########", "o!     _", "########"},
     "final",
     "E",
     {"########", "       _", "########"},
     "[1,1]",
     "[]",
     0,
     0,
     1,
     999},
    {"AMishap_VanishesWhenEntered",
     {"########", "o$!$$  _", "########"},
     "final",
     "EEEEO",
     {"########", "       _", "########"},
     "[1,3]",
     "[[1,4]]",
     1,
     0,
     5,
     1005},
    {"AMishap_HalvesThePlainCounterToo",
     {"#########", "o$$$ !  _", "#       #", "#########"},
     "challenge2",
     "EEEEE",
     {"#########", "        _", "#       #", "#########"},
     "[1,5]",
     "[]",
     1,
     0,
     5,
     1005},
    {"ADrill_HasThreeUses",
     {"######", "oT   _", "######"},
     "final",
     "E",
     {"######", "     _", "######"},
     "[1,1]",
     "[]",
     0,
     3,
     1,
     999},
    {"TwoDrills_HaveSix",
     {"######", "oTT  _", "######"},
     "final",
     "EE",
     {"######", "     _", "######"},
     "[1,2]",
     "[]",
     0,
     6,
     2,
     998},
    {"AWall_TakesAUseAndIsGone",
     {"######", "oT#  _", "######"},
     "final",
     "EE",
     {"######", "     _", "######"},
     "[1,2]",
     "[]",
     0,
     2,
     2,
     998},
    {"ADrilledWall_IsPassedAgainForNothing",
     {"######", "oT#  _", "######"},
     "final",
     "EEOE",
     {"######", "     _", "######"},
     "[1,2]",
     "[]",
     0,
     2,
     4,
     996},
    {"OuterWalls_CanBeDrilled",
     {"######", "oT   _", "######"},
     "final",
     "ENEES",
     {"#   ##", "     _", "######"},
     "[1,3]",
     "[]",
     0,
     0,
     5,
     995},
    {"TheBodyFollowsThroughADrilledWall",
     {"######", "oT$# _", "######"},
     "final",
     "EEEE",
     {"######", "     _", "######"},
     "[1,4]",
     "[[1,3]]",
     1,
     2,
     4,
     1006},
    // The snake's body is four long when its head turns back on it.
    {"TurningBack_KeepsTheFirstSegmentOnly", dead_end, "final", "EEEEO", dead_end_eaten, "[1,3]",
     "[[1,4]]", 1, 0, 5, 1005},
    {"TurningBackAndOn_KeepsIt", dead_end, "final", "EEEEOO", dead_end_eaten, "[1,2]", "[[1,3]]", 1,
     0, 6, 1004},
    {"TurningBack_WithOneSegmentLosesNothing",
     {"######", "o$   _", "######"},
     "final",
     "EEO",
     {"######", "     _", "######"},
     "[1,1]",
     "[[1,2]]",
     1,
     0,
     3,
     1007},
    // A square of four cells: the tail is just where the head comes back.
    {"FourSegments_AreTooLongForASmallRound", coins, "final", "EEEESONE", no_coins, "[1,4]",
     "[[1,3],[2,3],[2,4]]", 3, 0, 8, 1022},
    {"ThreeSegments_JustPass",
     {"########", "o$$$   _", "#      #", "########"},
     "final",
     "EEESON",
     no_coins,
     "[1,2]",
     "[[2,2],[2,3],[1,3]]",
     3,
     0,
     6,
     1024},
    {"TheSegmentMetAndAllBehindItAreLost",
     {"#######", "o$$$$$#", "#    $#", "#   $$_", "#######"},
     "final",
     "EEEEESSONN",
     {"#######", "      #", "#     #", "#     _", "#######"},
     "[1,4]",
     "[[2,4],[3,4],[3,5],[2,5],[1,5]]",
     5,
     0,
     10,
     1040},
    {"TheExitEndsTheGame",
     {"###", "o _", "###"},
     "final",
     "EE",
     {"###", "  _", "###"},
     "[1,2]",
     "[]",
     0,
     0,
     2,
     998,
     true},
    {"TheExitIsShownStill", {"o_"}, "final", "E", {" _"}, "[0,1]", "[]", 0, 0, 1, 999, true},
    {"TheBodyNeedNotLeaveTheLabyrinth",
     {"#####", "o$$$_", "#####"},
     "final",
     "EEEE",
     {"#####", "    _", "#####"},
     "[1,4]",
     "[[1,3],[1,2],[1,1]]",
     3,
     0,
     4,
     1026,
     true},
    {"AnInnerStartAndExit_AtTheFinal",
     {"     ", " o_  "},
     "final",
     "NEES",
     {"     ", "  _  "},
     "[1,3]",
     "[]",
     0,
     0,
     4,
     996},
};

class Step : public testing::TestWithParam<StepCase> {};

TEST_P(Step, GivesTheState) {
    const auto& one = GetParam();
    const json params = {{"board", one.board}, {"level", one.level}, {"on_illegal", "void"}};
    auto state = tests::start(*tests::snake_game, params.dump());
    ASSERT_TRUE(state);
    if (!one.plan.empty()) {
        EXPECT_TRUE(tests::play(*state, {json(one.plan).dump()}).empty());
    }
    const json expected = {{"board", one.left},
                           {"head", json::parse(one.head)},
                           {"body", json::parse(one.body)},
                           {"coins", one.coins},
                           {"drill", one.drill},
                           {"steps", one.steps},
                           {"score", one.score},
                           {"finished", one.finished}};
    EXPECT_EQ(tests::state_json(*state), expected);
    EXPECT_EQ(state->over(), one.finished);
}

// The same, letter by letter: a plan is nothing but its letters.
TEST_P(Step, IsTheSameInTurnsOfOneLetter) {
    const auto& one = GetParam();
    const json params = {{"board", one.board}, {"level", one.level}};
    auto whole = tests::start(*tests::snake_game, params.dump());
    auto single = tests::start(*tests::snake_game, params.dump());
    if (one.plan.empty()) return;
    tests::play(*whole, {json(one.plan).dump()});
    for (const char letter : one.plan) tests::play(*single, {json(std::string(1, letter)).dump()});
    EXPECT_EQ(tests::state_text(*whole), tests::state_text(*single));
}

INSTANTIATE_TEST_SUITE_P(Rules, Step, testing::ValuesIn(step_cases),
                         [](const auto& test) { return test.param.name; });

TEST(State, MembersStandInThePagesOrder) {
    const auto state =
        tests::start(*tests::snake_game, R"({"board": ["#####", "o $ _", "#####"]})");
    EXPECT_EQ(tests::state_text(*state),
              R"({"board":["#####","  $ _","#####"],"head":[1,0],"body":[],"coins":0,"drill":0,)"
              R"("steps":0,"score":1000,"finished":false})");
}

}  // namespace
