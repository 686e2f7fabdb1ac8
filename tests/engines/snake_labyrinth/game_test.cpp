// What is noted of plans, a forfeit, how two outcomes compare, the pictures, and the longest
// snakes. The rules are in tests/models.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engines/snake_labyrinth/snake_labyrinth.h"
#include "tests/engines/conformance/driver.h"
#include "tests/engines/snake_labyrinth/game.h"
#include "tests/json.h"

namespace {

using nlohmann::json;
using Texts = std::vector<std::string>;

TEST(Notes, NameTheFirstIllegalLetterAndCountTheOthers) {
    auto state = tests::start(*tests::snake_game, R"({"board": ["#####", "o $ _", "#####"]})");
    const auto notes = tests::play(*state, {R"("EENNS")"});
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_TRUE(notes[0].is_fault);
    EXPECT_EQ(notes[0].seat, 0U);
    EXPECT_EQ(notes[0].message,
              "letter 3, N from row 1, column 2: a wall is there (and 2 letters more of this plan "
              "can't be carried out); the snake stays, and the step is charged");
    auto with_drill = tests::start(*tests::snake_game, R"({"board": ["#####", "o T _", "#####"]})");
    EXPECT_EQ(tests::play(*with_drill, {R"("EN")"})[0].message,
              "letter 2, N from row 1, column 1: a wall is there, and the snake has no drill; the "
              "snake stays, and the step is charged");
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

TEST(PlayInKind, TellsWhetherTheAnswerWasTooShort) {
    const auto told = [](const std::string& more, const char* plan) {
        const auto state = tests::start(*tests::snake_game,
                                        R"({"board": ["#####", "o $ _", "#####"])" + more + '}');
        tests::play(*state, {json(plan).dump()});
        if (!state->over()) tests::play(*state, {"null"});
        if (!state->over()) state->forfeit(0);
        return state->tell_play_without_map(0);
    };
    EXPECT_EQ(told("", "EE"), Texts{"its answer ended before a way out"});
    EXPECT_EQ(told(R"(, "max_steps": 3)", "EEW"), Texts{"all its steps were used up"});
    EXPECT_EQ(told(R"(, "on_illegal": "void")", "E"), Texts{"its answer ended before a way out"});
    EXPECT_EQ(told(R"(, "on_illegal": "void")", "EN"), Texts{});
    EXPECT_EQ(told("", "EEEE"), Texts{});
}

constexpr const char* known_answer = "ESSSSSSSEEEEEEEEEENNNNNNNEEEEESSSSEE";

engines::Outcome played(const std::string& params, const std::string& plan) {
    const auto state = tests::start(*tests::snake_game, params);
    tests::play(*state, {json(plan).dump()});
    if (!state->over()) state->forfeit(0);
    return state->outcome();
}

struct CompareCase {
    std::string name;
    std::string board;
    int max_steps_a;
    std::string plan_a;
    int max_steps_b;
    std::string plan_b;
    std::weak_ordering expected;
};

TEST(Compare, FinishedThenScoreThenFewerSteps) {
    const std::string board =
        R"({"board": ["########", "o$     _", "#    $ #", "########"], "max_steps": )";
    const CompareCase cases[] = {
        {"finished above unfinished", board, 1000, "EEEEEEE", 1, "E", std::weak_ordering::greater},
        {"unfinished below finished", board, 1, "E", 1000, "EEEEEEE", std::weak_ordering::less},
        {"a finished game below zero above an unfinished one", board, 9000,
         std::string(2000, 'N') + "EEEEEEE", 1000, "E", std::weak_ordering::greater},
        {"score", board, 1000, "EEEEESENE", 1000, "EEEEEEE", std::weak_ordering::greater},
        {"score below", board, 1000, "EOEEEEEEE", 1000, "EEEEEEE", std::weak_ordering::less},
        {"the same", board, 1000, "EEEEEEE", 1000, "EEEEEEE", std::weak_ordering::equivalent},
        {"equal scores of 0, fewer steps", board, 1000, "E", 1000, "EE",
         std::weak_ordering::greater},
        {"equal scores, fewer steps", board, 1000, "EEEEEEE", 1000, "EEEEESENNNNNNNNNE",
         std::weak_ordering::greater},
    };
    for (const auto& one : cases) {
        const auto a = played(one.board + std::to_string(one.max_steps_a) + "}", one.plan_a);
        const auto b = played(one.board + std::to_string(one.max_steps_b) + "}", one.plan_b);
        EXPECT_EQ(tests::snake_game->compare(a, b), one.expected)
            << one.name << a.detail << b.detail;
    }
}

TEST(Picture, OfAPosition) {
    auto state =
        tests::start(*tests::snake_game, R"({"board": ["########", "o$$T!$ _", "########"]})");
    tests::play(*state, {R"("EEE")"});
    EXPECT_EQ(state->render(),
              "########\n"
              " \u00B0\u00B0o!$ _\n"
              "########\n"
              "steps 3, coins 2, drill uses 3, score 1017\n");
}

TEST(Picture, OfAFinishedGameShowsTheWayAndTheMoves) {
    auto state = tests::start(*tests::snake_game, R"({"maze": "handout"})");
    tests::play(*state, {json(known_answer).dump()});
    EXPECT_EQ(state->render(),
              "###################\n"
              "o.   #     ...... #\n"
              "#.   #     .#   . #\n"
              "#.   #   ! .#   . #\n"
              "#.   #     .#   . #\n"
              "#.   #     .#   .._\n"
              "#.   #     .#     #\n"
              "#.         .#     #\n"
              "#...........#     #\n"
              "###################\n"
              "left the labyrinth: steps 36, coins 8, drill uses 0, score 1044\n"
              "moves: " +
                  std::string(known_answer) + "\n");
}

TEST(Picture, OfAGameThatEndedInside) {
    auto state = tests::start(*tests::snake_game,
                              R"({"board": ["#####", "o $ _", "#####"], "max_steps": 3})");
    tests::play(*state, {R"("EENE")"});
    EXPECT_EQ(state->render(),
              "#####\no.x _\n#####\nstill inside: steps 3, coins 1, drill uses 0, score 1007\n"
              "moves: EE\n");
    auto unmoved = tests::start(*tests::snake_game, R"({"board": ["#####", "o $ _", "#####"]})");
    unmoved->forfeit(0);
    EXPECT_EQ(unmoved->render(),
              "#####\nx $ _\n#####\nstill inside: steps 0, coins 0, drill uses 0, score 1000\n"
              "moves: (none)\n");
}

// A spiral of coins on the largest board: the body grows to thousands of segments, and what a
// turn tells stays small.
TEST(Property, DeltasOfALongSnakeStaySmall) {
    constexpr std::size_t side = 256;
    constexpr std::size_t step_bytes_max = 600;
    std::vector<std::string> rows(side, std::string(side, '$'));
    rows.front().front() = 'o';
    rows.back().back() = '_';
    auto state =
        tests::start(*tests::snake_game, json{{"board", rows}, {"max_steps", 1'000'000}}.dump());
    auto before = tests::state_json(*state);
    std::size_t turn = 0;
    for (std::size_t row = 0; row < 40; ++row) {
        const std::string plan = std::string(side - 1, row % 2 == 0 ? 'E' : 'O') + "S";
        for (const char letter : plan) {
            tests::play(*state, {json(std::string(1, letter)).dump()});
            const auto delta = tests::delta_json(*state);
            ASSERT_LE(delta.dump().size(), step_bytes_max);
            if (++turn % 500 != 1) continue;
            const auto after = tests::state_json(*state);
            ASSERT_EQ(after.at("body").size(), turn);
        }
    }
    // Straight back: all but one segment lost, told in few bytes.
    before = tests::state_json(*state);
    tests::play(*state, {R"("N")"});
    EXPECT_EQ(tests::state_json(*state).at("coins"), 1);
    EXPECT_LE(tests::delta_json(*state).dump().size(), step_bytes_max);
    EXPECT_EQ(before.patch(tests::delta_json(*state)), tests::state_json(*state));
}

}  // namespace
