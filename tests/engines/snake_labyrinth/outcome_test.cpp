// Outcomes, how two of them compare, and the pictures.

#include <gtest/gtest.h>
#include <string>

#include "engines/snake_labyrinth/snake_labyrinth.h"
#include "tests/engines/conformance/driver.h"
#include "tests/engines/snake_labyrinth/game.h"
#include "tests/json.h"

namespace {

using nlohmann::json;
constexpr const char* known_answer = "ESSSSSSSEEEEEEEEEENNNNNNNEEEEESSSSEE";

engines::Outcome played(const std::string& params, const std::string& plan) {
    const auto state = tests::start(*tests::snake_game, params);
    tests::play(*state, {json(plan).dump()});
    if (!state->over()) state->forfeit(0);
    return state->outcome();
}

TEST(Outcome, OfTheHandoutsKnownAnswer) {
    auto state = tests::start(*tests::snake_game, R"({"maze": "handout"})");
    tests::play(*state, {json(known_answer).dump()});
    ASSERT_TRUE(state->over());
    std::string text;
    engines::json::Writer writer(text);
    engines::write_outcome(writer, state->outcome());
    EXPECT_EQ(
        text,
        std::string(
            R"({"scores":[1044],"placing":[1],"detail":{"finished":true,"coins":8,"steps":36,)") +
            R"("drilled":0,"illegal_moves":0,"path":")" + known_answer + "\"}}");
}

TEST(Outcome, CountsDrilledWallsAndLeavesIllegalLettersOutOfThePath) {
    auto state = tests::start(*tests::snake_game, R"({"board": ["######", "oT# $_", "######"]})");
    tests::play(*state, {R"("OENSSZNEEEE")"});
    EXPECT_EQ(
        tests::outcome_json(*state),
        json::parse(
            R"({"scores": [999], "placing": [1], "detail": {"finished": true, "coins": 1, "steps": 11,
                              "drilled": 3, "illegal_moves": 2, "path": "ENSSNEEEE"}})"));
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

}  // namespace

namespace {

class Golden : public testing::TestWithParam<const char*> {};

TEST_P(Golden, TraceIsTheSame) {
    tests::expect_golden(*tests::snake_game, "snake_labyrinth", GetParam());
}

INSTANTIATE_TEST_SUITE_P(SnakeLabyrinth, Golden,
                         testing::Values("handout_plan", "handout_steps", "tiny", "dead_end",
                                         "round", "drills", "void", "limit", "no_body",
                                         "unfinished"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace

namespace None {}  // namespace None
