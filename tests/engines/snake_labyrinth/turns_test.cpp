// Turns: plans, illegal letters, missing moves, the limit of steps, and what is noted of them.

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
using Texts = std::vector<std::string>;

struct TurnCase {
    std::string name;
    std::string on_illegal;
    int max_steps;
    Texts turns;  // JSON texts
    // Expected after them.
    Texts codes;
    std::string head;
    int steps, score;
    bool over = false;
    int illegal_moves = 0;  // told by outcomes only
    std::string path = {};  // likewise
    bool finished = false;

    friend void PrintTo(const TurnCase& one, std::ostream* out) { *out << one.name; }
};

// o $ _ between walls.
const TurnCase turn_cases[] = {
    {"AWholePlan", "stay", 1000, {R"("EEEE")"}, {}, "[1,4]", 4, 1006, true, 0, "EEEE", true},
    {"LetterByLetter",
     "stay",
     1000,
     {R"("E")", R"("E")", R"("EE")"},
     {},
     "[1,4]",
     4,
     1006,
     true,
     0,
     "EEEE",
     true},
    {"AWall_StaysAndIsCharged", "stay", 1000, {R"("N")"}, {"wall_ahead"}, "[1,0]", 1, 999},
    {"TheEdge_StaysAndIsCharged", "stay", 1000, {R"("O")"}, {"edge_ahead"}, "[1,0]", 1, 999},
    {"AnUnknownLetter_StaysAndIsCharged",
     "stay",
     1000,
     {R"("W")"},
     {"malformed_letter"},
     "[1,0]",
     1,
     999},
    {"ASmallLetter_IsUnknown", "stay", 1000, {R"("e")"}, {"malformed_letter"}, "[1,0]", 1, 999},
    {"ABlank_IsUnknown", "stay", 1000, {R"("E E")"}, {"malformed_letter"}, "[1,2]", 3, 1007},
    {"ALetterOfSeveralBytes_IsOne",
     "stay",
     1000,
     {R"("È")"},
     {"malformed_letter"},
     "[1,0]",
     1,
     999},
    {"ALetterOfFourBytesAmongOthers_IsOne",
     "stay",
     1000,
     {R"("E🐍E")"},
     {"malformed_letter"},
     "[1,2]",
     3,
     1007},
    {"AnEmptyString_IsMissing", "stay", 1000, {R"("")"}, {"no_move"}, "[1,0]", 1, 999},
    {"Null_IsMissing", "stay", 1000, {"null"}, {"no_move"}, "[1,0]", 1, 999},
    {"AnArray_IsMalformed", "stay", 1000, {R"(["E"])"}, {"malformed_move"}, "[1,0]", 1, 999},
    {"ANumber_IsMalformed", "stay", 1000, {"5"}, {"malformed_move"}, "[1,0]", 1, 999},
    {"APlan_GoesOnAfterAnIllegalLetter",
     "stay",
     1000,
     {R"("EXNEEE")"},
     {"malformed_letter"},
     "[1,4]",
     6,
     1004,
     true,
     2,
     "EEEE",
     true},
    {"APlansRest_IsIgnoredAfterTheExit",
     "stay",
     1000,
     {R"("EEEEOX")"},
     {"plan_rest_ignored"},
     "[1,4]",
     4,
     1006,
     true,
     0,
     "EEEE",
     true},
    {"Void_EndsTheGameUncharged",
     "void",
     1000,
     {R"("E")", R"("N")"},
     {"wall_ahead"},
     "[1,1]",
     1,
     999,
     true,
     1,
     "E"},
    {"Void_EndsAPlanToo",
     "void",
     1000,
     {R"("ENEEE")"},
     {"wall_ahead", "plan_rest_ignored"},
     "[1,1]",
     1,
     999,
     true,
     1,
     "E"},
    {"Void_AtTheEdge", "void", 1000, {R"("O")"}, {"edge_ahead"}, "[1,0]", 0, 1000, true, 1, ""},
    {"Void_ByAnUnknownLetter",
     "void",
     1000,
     {R"("EEW")"},
     {"malformed_letter"},
     "[1,2]",
     2,
     1008,
     true,
     1,
     "EE"},
    {"Void_ByAMissingMove",
     "void",
     1000,
     {R"("E")", "null"},
     {"no_move"},
     "[1,1]",
     1,
     999,
     true,
     1,
     "E"},
    {"Void_ByAnEmptyMove", "void", 1000, {R"("")"}, {"no_move"}, "[1,0]", 0, 1000, true, 1, ""},
    {"TheLimit_EndsUnfinished",
     "stay",
     3,
     {R"("EEE")"},
     {"out_of_steps"},
     "[1,3]",
     3,
     1007,
     true,
     0,
     "EEE"},
    {"TheLimit_InTheMiddleOfAPlan",
     "stay",
     3,
     {R"("EEEE")"},
     {"plan_rest_ignored", "out_of_steps"},
     "[1,3]",
     3,
     1007,
     true,
     0,
     "EEE"},
    {"TheExitWithTheLastStep_Finishes",
     "stay",
     4,
     {R"("EEEE")"},
     {},
     "[1,4]",
     4,
     1006,
     true,
     0,
     "EEEE",
     true},
    {"AnIllegalLetter_CountsForTheLimit",
     "stay",
     4,
     {R"("ENEEE")"},
     {"wall_ahead", "plan_rest_ignored", "out_of_steps"},
     "[1,3]",
     4,
     1006,
     true,
     1,
     "EEE"},
    {"AMissingMove_CountsForTheLimit",
     "stay",
     1,
     {"null"},
     {"no_move", "out_of_steps"},
     "[1,0]",
     1,
     999,
     true,
     1,
     ""},
    {"OneStep_IsTheLeastLimit",
     "stay",
     1,
     {R"("E")"},
     {"out_of_steps"},
     "[1,1]",
     1,
     999,
     true,
     0,
     "E"},
};

class Turn : public testing::TestWithParam<TurnCase> {
 protected:
    std::unique_ptr<engines::State> begin() const {
        const json params = {{"board", {"#####", "o $ _", "#####"}},
                             {"max_steps", GetParam().max_steps},
                             {"on_illegal", GetParam().on_illegal}};
        return tests::start(*tests::snake_game, params.dump());
    }
};

TEST_P(Turn, GivesStateNotesAndOutcome) {
    const auto& one = GetParam();
    auto state = begin();
    Texts noted;
    for (const auto& turn : one.turns) {
        ASSERT_FALSE(state->over());
        for (const auto& code : tests::codes(tests::play(*state, {turn}))) noted.push_back(code);
    }
    EXPECT_EQ(noted, one.codes);
    const auto shown = tests::state_json(*state);
    EXPECT_EQ(shown.at("head"), json::parse(one.head));
    EXPECT_EQ(shown.at("steps"), one.steps);
    EXPECT_EQ(shown.at("score"), one.score);
    EXPECT_EQ(shown.at("finished"), one.finished);
    ASSERT_EQ(state->over(), one.over);
    if (!one.over) return;
    const auto outcome = tests::outcome_json(*state);
    EXPECT_EQ(outcome.at("scores"), json::array({one.finished ? one.score : 0}));
    EXPECT_EQ(outcome.at("placing"), json::array({1}));
    EXPECT_EQ(outcome.at("detail").at("finished"), one.finished);
    EXPECT_EQ(outcome.at("detail").at("steps"), one.steps);
    EXPECT_EQ(outcome.at("detail").at("illegal_moves"), one.illegal_moves);
    EXPECT_EQ(outcome.at("detail").at("path"), one.path);
}

TEST_P(Turn, CheckSaysTheFirstFaultAndChangesNothing) {
    auto state = begin();
    for (const auto& turn : GetParam().turns) {
        const auto before = tests::state_text(*state);
        const auto checked = tests::check(*state, 0, turn);
        EXPECT_EQ(tests::state_text(*state), before);
        const auto notes = tests::play(*state, {turn});
        const bool has_fault = !notes.empty() && notes.front().is_fault;
        ASSERT_EQ(!checked, has_fault);
        if (checked) continue;
        EXPECT_EQ(checked.error().code, notes.front().code);
        EXPECT_EQ(checked.error().message, notes.front().message);
    }
}

INSTANTIATE_TEST_SUITE_P(Turns, Turn, testing::ValuesIn(turn_cases),
                         [](const auto& test) { return test.param.name; });

TEST(Notes, NameTheFirstIllegalLetterAndCountTheOthers) {
    auto state = tests::start(*tests::snake_game, R"({"board": ["#####", "o $ _", "#####"]})");
    const auto notes = tests::play(*state, {R"("EENNS")"});
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_TRUE(notes[0].is_fault);
    EXPECT_EQ(notes[0].seat, 0U);
    EXPECT_EQ(notes[0].message,
              "letter 3, N at row 1, column 2: a wall is there, and no drill use is left (and 2 "
              "letters more of "
              "this plan can't be carried out); the snake stays, and the step is charged");
}

TEST(Notes, TellHowMuchOfAPlanCameToNothing) {
    auto state = tests::start(*tests::snake_game, R"({"board": ["#####", "o $ _", "#####"]})");
    const auto notes = tests::play(*state, {R"("EEEEÈO")"});
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_FALSE(notes[0].is_fault);
    EXPECT_EQ(notes[0].message,
              "the game was over after letter 4: the last 2 letters of the plan came to nothing");
}

// However many letters of a plan are wrong, the notes stay few.
TEST(Notes, AreBoundedForLongPlans) {
    auto state = tests::start(*tests::snake_game, R"({"board": ["#####", "o $ _", "#####"]})");
    const auto notes = tests::play(*state, {json(std::string(100'000, 'x')).dump()});
    EXPECT_EQ(tests::codes(notes),
              (Texts{"malformed_letter", "plan_rest_ignored", "out_of_steps"}));
}

TEST(Forfeit, EndsUnfinishedAndLeavesTheState) {
    auto state = tests::start(*tests::snake_game, R"({"board": ["#####", "o $ _", "#####"]})");
    tests::play(*state, {R"("EE")"});
    const auto before = tests::state_json(*state);
    state->forfeit(0);
    EXPECT_TRUE(state->over());
    EXPECT_EQ(tests::state_json(*state), before);
    EXPECT_EQ(tests::delta_json(*state), json::array());
    EXPECT_EQ(
        tests::outcome_json(*state),
        json::parse(
            R"({"scores": [0], "placing": [1], "detail": {"finished": false, "coins": 1, "steps": 2,
                              "drilled": 0, "illegal_moves": 0, "path": "EE"}})"));
}

}  // namespace
