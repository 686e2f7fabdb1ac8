#include "referee/grading/verdict/grade.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/base/text.h"
#include "tests/referee/grading/verdict/played_games.h"

namespace referee::verdict {
namespace {

using namespace std::chrono_literals;
using rubric::Step;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Steps that pass and fail with one won game.
Step good(const std::string& id, double points = 10) {
    return step_with(rubric::Wins{1}, points, id);
}
Step bad(const std::string& id, double points = 10) {
    return step_with(rubric::Wins{2}, points, id);
}
Step in(const std::string& group, Step step) {
    step.group = group;
    return step;
}
Step needing(std::vector<std::string> needs, Step step) {
    step.needs = std::move(needs);
    return step;
}
// Its series is in trouble.
Step troubled(const std::string& id, double points = 10) {
    auto step = good(id, points);
    step.series = {"broken"};
    return step;
}

Grade graded(std::vector<Step> steps) {
    auto played = played_with(games(1, 1));
    played.series["broken"].trouble = "opponent dumb crashed in game ann.broken/1.1";
    played.series["broken"].games = games(1, 0);
    return judge(rubric_with(std::move(steps)), played);
}

std::vector<std::string_view> verdicts(const Grade& grade) {
    std::vector<std::string_view> names;
    for (const auto& step : grade.steps) names.push_back(name_of(step.verdict));
    return names;
}

TEST(Judge, WhatWasNotPlayedBecauseTheProgramThoughtTooLongFails) {
    auto played = played_with(games(1, 1));
    played.series["slow"].games = games(1, 1);
    played.series["slow"].cut_short = "its games took longer than the 20 min that it had";
    auto slow = good("slow");
    slow.series = {"slow"};
    const auto grade = judge(rubric_with({slow}), played);
    EXPECT_THAT(verdicts(grade), ElementsAre("failed"));
    EXPECT_EQ(grade.steps[0].reason, "its games took longer than the 20 min that it had");
    EXPECT_TRUE(grade.final());
}

TEST(Judge, StepsAddUp) {
    auto extra = good("c", 5);
    extra.extra = true;
    const auto grade = graded({good("a", 0.1), good("b", 0.2), extra, bad("d", 30)});
    EXPECT_EQ(grade.points, 5.3);
    EXPECT_EQ(grade.of, 30.3) << "without extra credit";
    EXPECT_THAT(verdicts(grade), ElementsAre("passed", "passed", "passed", "failed"));
    EXPECT_EQ(grade.rubric_title, "a rubric");
    EXPECT_EQ(grade.rubric_hash, "sha256:00");
}

TEST(Judge, OfAGroupTheBestCounts) {
    struct Case {
        std::string name;
        std::vector<Step> steps;
        std::string verdicts;
        double points;
    };
    for (const auto& [name, steps, told, points] : std::vector<Case>{
             {"the best",
              {in("g", good("a", 21)), in("g", good("b", 25)), in("g", bad("c", 30)), good("d", 1)},
              "not_counted passed failed passed",
              26},
             {"of equals the first",
              {in("g", good("a")), in("g", good("b")), in("h", bad("c"))},
              "passed not_counted failed",
              10},
             {"a part is no pass",
              {needing({"b"}, good("a")), step_with(rubric::EachWin{}, 10, "b")},
              "failed partly",
              5},
             {"one may need another",
              {in("g", good("a", 5)), needing({"a"}, in("g", good("b", 9)))},
              "not_counted passed",
              9},
             {"trouble that could give no more",
              {in("g", good("a", 10)), in("g", troubled("b", 10))},
              "passed not_counted",
              10},
             {"trouble that could give more",
              {in("g", good("a", 10)), in("g", troubled("b", 10.01))},
              "passed trouble",
              10},
             {"trouble alone",
              {in("g", troubled("a")), in("g", troubled("b"))},
              "trouble trouble",
              0}}) {
        const auto grade = graded(steps);
        EXPECT_EQ(base::joined(verdicts(grade), " "), told) << name;
        EXPECT_EQ(grade.points, points) << name;
        EXPECT_EQ(grade.final(), told.find("trouble") == std::string::npos) << name;
    }
    const auto grade = graded({in("g", good("a", 21)), in("g", good("b", 25))});
    EXPECT_EQ(grade.of, 25);
    EXPECT_EQ(grade.steps[0].points, 21) << "what it would have given";
    EXPECT_THAT(grade.steps[0].reason, HasSubstr("won 1 of 2 games"));
    EXPECT_THAT(grade.steps[0].reason,
                HasSubstr("of the parts of \"g\" one counts, and another gives no less"));
}

TEST(Judge, WithoutWhatItNeedsAStepGivesNothing) {
    const auto grade = graded({needing({"b"}, good("a")), needing({"c"}, good("b")), bad("c"),
                               needing({"e"}, good("d")), good("e")});
    EXPECT_THAT(verdicts(grade), ElementsAre("failed", "failed", "failed", "passed", "passed"));
    EXPECT_EQ(grade.points, 20);
    EXPECT_THAT(
        grade.steps[1].reason,
        testing::StartsWith("counts only with \"the step c\", which is not passed. What its own "
                            "games show: won 1"));
    EXPECT_THAT(graded({needing({"b"}, bad("a")), bad("b")}).steps[0].advice, IsEmpty())
        << "the other step tells how games ended";
    const auto chain = judge(rubric_with({step_with(rubric::Faultless{}), needing({"x"}, bad("b")),
                                          needing({"b"}, bad("c")), needing({"c"}, bad("d"))}),
                             played_with({with_faults(game_lost(), 1)}));
    EXPECT_THAT(chain.steps[1].advice,
                ElementsAre("in 1 game the same happened as in \"the step x\": ann.s/1.1",
                            "game ann.s/1.1: all squares have bricks"));
    EXPECT_THAT(chain.steps[3].advice, IsEmpty());
}

TEST(Judge, TroubleIsNobodysZero) {
    const auto grade =
        graded({good("a"), troubled("b"), needing({"b"}, good("c")), needing({"b"}, bad("d"))});
    EXPECT_THAT(verdicts(grade), ElementsAre("passed", "trouble", "trouble", "failed"));
    EXPECT_EQ(grade.points, 10);
    EXPECT_FALSE(grade.final());
    EXPECT_THAT(
        grade.troubles,
        ElementsAre("the step b: could not be judged: opponent dumb crashed in game "
                    "ann.broken/1.1",
                    testing::StartsWith("the step c: could not be judged: counts only with")));
}

TEST(Judge, AHiddenStepsTroubleIsToldByItsTitle) {
    auto hidden = troubled("b");
    hidden.hidden = true;
    const auto grade = graded({hidden});
    EXPECT_THAT(grade.troubles, ElementsAre("the step b: could not be judged"));
    EXPECT_TRUE(grade.steps[0].hidden);
    EXPECT_THAT(grade.steps[0].reason, HasSubstr("opponent dumb crashed")) << "the instructor's";
}

TEST(Judge, WhatCouldNotBePlayedByItsOwnDoingFailsEverything) {
    Played played;
    played.unplayable = "its build failed: main.c:3: expected ';'";
    auto rubric =
        rubric_with({good("a"), needing({"a"}, good("b")), step_with(rubric::Place{{5}}, 5, "c")});
    rubric.pass = 1;
    EXPECT_FALSE(judge(rubric, played).final()) << "points that all can have are open";
    rubric.steps.back().extra = true;
    const auto grade = judge(rubric, played);
    EXPECT_THAT(verdicts(grade), ElementsAre("failed", "failed", "not_counted"))
        << "a tournament that isn't played yet takes points from nobody";
    EXPECT_EQ(grade.points, 0);
    EXPECT_FALSE(grade.passed);
    EXPECT_TRUE(grade.final());
    for (const std::size_t i : {0U, 1U}) EXPECT_EQ(grade.steps[i].reason, played.unplayable);
}

TEST(Judge, PassedFromThePointsOnThatTheRubricNames) {
    for (const auto& [pass, passed] : std::vector<std::pair<double, bool>>{
             {0, true}, {29.99, true}, {30, true}, {30.01, false}}) {
        auto rubric = rubric_with({good("a", 30), bad("b", 1)});
        rubric.pass = pass;
        EXPECT_EQ(judge(rubric, played_with(games(1, 1))).passed, passed) << pass;
    }
}

struct LateCase {
    std::optional<rubric::LateRule> late;
    Duration late_by;
    double points;  // of 30
    std::string words;
};

TEST(Judge, Lateness) {
    const rubric::LateRule per_day{.grace = 2h, .points = 12, .zero = false};
    const rubric::LateRule zero{.grace = 2h, .points = 0, .zero = true};
    for (const auto& [late, late_by, points, words] : std::vector<LateCase>{
             {per_day, 0s, 30, ""},
             {per_day, -5h, 30, ""},
             {per_day, 1s, 30, "came 1 s after the deadline, within the 2 h that cost nothing"},
             {per_day, 2h, 30, "came 2 h after the deadline, within the 2 h that cost nothing"},
             {per_day, 2h + 1ns, 18,
              "came more than 2 h after the deadline: 1 day begun after the 2 h that "
              "cost nothing, 12 points each"},
             {per_day, 26h, 18, "came 1 d 2 h after the deadline: 1 day begun"},
             {per_day, 26h + 1ns, 6, "came more than 1 d 2 h after the deadline: 2 days begun"},
             {per_day, 50h + 90min, 0, "came 2 d 3 h after the deadline: 3 days begun"},
             {per_day, 24h * 365, 0, "came 365 d after the deadline: 365 days begun"},
             {rubric::LateRule{.grace = 0s, .points = 5, .zero = false}, 1ns, 25,
              "came less than 1 s after the deadline: 1 day begun, 5 points each"},
             {zero, 2h, 30, "came 2 h after the deadline, within"},
             {zero, 2h + 1ns, 0, "came more than 2 h after the deadline: no points are given"},
             {std::nullopt, 24h * 365, 30, "came 365 d after the deadline, which costs nothing"},
         }) {
        auto rubric = rubric_with({good("a", 30)});
        rubric.late = late;
        const auto grade = judge(rubric, played_with(games(1, 0)), late_by);
        EXPECT_EQ(grade.points, points) << words;
        EXPECT_EQ(grade.late_cost, 30 - points) << words;
        EXPECT_THAT(grade.lateness, testing::StartsWith(words));
        EXPECT_EQ(grade.lateness.empty(), words.empty()) << grade.lateness;
        EXPECT_EQ(grade.late, points < 30 || !late) << "within the grace it is in time: " << words;
        const auto none = judge(rubric, played_with(games(0, 1)), late_by);
        EXPECT_EQ(none.late, grade.late) << "also where there are no points to take";
    }
}

TEST(Judge, CommandsShowTheGamesThatCostPoints) {
    auto lost = game_lost();
    lost.map = "challenge1_tiny";
    auto rubric = rubric_with({good("a")});
    rubric.game = "snake_labyrinth";
    rubric.series.front().opponents = {"dumb", "smarter"};
    const auto grade = judge(rubric, played_with({lost}));
    EXPECT_THAT(grade.to_explain,
                ElementsAre(testing::StartsWith("referee explain ann.s/1.1 --out games")));
    EXPECT_THAT(
        grade.to_see,
        ElementsAre(testing::EndsWith("by its name; \"ann.s/1.1\" is game 1 of match 1"),
                    testing::StartsWith("referee maps snake_labyrinth --show challenge1_tiny"),
                    testing::StartsWith("referee is the program that graded this"),
                    testing::StartsWith("Rows and columns count from 0"),
                    "dumb and smarter are the course's own programs"));
    EXPECT_THAT(judge(rubric, played_with({game_won()})).to_see, IsEmpty());
    rubric.steps.front().hidden = true;
    EXPECT_THAT(judge(rubric, played_with({lost})).to_see, IsEmpty());
}

TEST(Judge, InHowManyTurnsAProgramDidWrongIsTold) {
    auto game = with_faults(game_scored(1), 2);
    game.asked = 14;
    game.wrong = 2;
    game.turns = 14;
    const auto told = [&] {
        return judge(rubric_with({good("a")}), played_with({game})).steps[0].advice;
    };
    const std::string fault = "expected a move such as \"F\", found 5";
    const auto in_turns = "game ann.s/1.1 (wrong in 2 of its 14 turns, first in turn 3): " + fault;
    const std::string end = "game ann.s/1.1: all squares have bricks";
    EXPECT_THAT(told(), ElementsAre(end, in_turns));
    game.costs_turns = true;
    const auto at_most = in_turns + "; mending it brings at most 2 turns a game";
    const auto both = judge(rubric_with({good("a"), good("b")}), played_with({game}));
    for (const auto& step : both.steps) {
        EXPECT_EQ(step.advice.back(), at_most) << "in each anew";
        EXPECT_EQ(step.told.back().turn, 3);
    }
    game.turns = 4;
    EXPECT_THAT(told(), ElementsAre(in_turns, end)) << "in the last turn: that is no slip";
    game.turns = 14;
    game.asked = 4;
    EXPECT_THAT(told(), ElementsAre(HasSubstr("wrong in 2 of its 4 turns"), end))
        << "nor in half of them";
    game.turns = 4;
    game.moved = false;
    EXPECT_THAT(told(),
                ElementsAre(testing::StartsWith("game ann.s/1.1 (wrong in 2 of its 4 turns")))
        << "there is nothing else to tell";
    game.moved = true;
    game.wrong = 1;
    EXPECT_THAT(told(), ElementsAre("game ann.s/1.1, turn 3: " + fault, end)) << "in one turn";
    game.forfeited = true;
    game.faults.back().consequence = Consequence::forfeit;
    EXPECT_THAT(told(), ElementsAre("game ann.s/1.1, turn 4: " + fault)) << "that ended it";
}

// Each costs a cycle: it is no slip.
TEST(Judge, WhatCostsPiecesIsToldEachTime) {
    auto game = with_faults(game_lost(), 2);
    game.costs_pieces = true;
    game.asked = 50;
    game.wrong = 2;
    game.faults.back().message = "the trail was there";
    EXPECT_THAT(judge(rubric_with({good("a")}), played_with({game})).steps[0].advice,
                ElementsAre("game ann.s/1.1, turn 3: expected a move such as \"F\", found 5",
                            "game ann.s/1.1, turn 4: the trail was there",
                            "game ann.s/1.1: all squares have bricks"));
}

}  // namespace
}  // namespace referee::verdict
