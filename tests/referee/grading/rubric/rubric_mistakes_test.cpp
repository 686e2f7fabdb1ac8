// What is wrong with a rubric is told with its member, all at once.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "referee/grading/rubric/rubric.h"
#include "tests/mistake_rows.h"

namespace referee::rubric {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A rubric of one step, with parts of it replaced.
struct Parts {
    std::string rule = R"({"kind": "faultless"})";
    std::string step = R"("points": 10)";
    std::string series = R"("opponents": ["a"])";
    std::string top{};
    std::string game = "light_cycles";
    std::string more_steps{};
    std::string judged = R"(["s"])";
};

std::string rubric_of(const Parts& parts) {
    return R"({"title": "t", "game": ")" + parts.game +
           R"(", "bots": [{"name": "a", "launch": ["a"]}, {"name": "b", "launch": ["b"]}], )" +
           parts.top + R"("series": [{"id": "s", )" + parts.series +
           R"(}], "steps": [{"id": "x", "title": "t", "series": )" + parts.judged +
           R"(, "rule": )" + parts.rule + ", " + parts.step + "}" + parts.more_steps + "]}";
}

std::vector<std::string> mistakes_in(const std::string& text) {
    const auto read = read_rubric(text, "/srv");
    std::vector<std::string> told;
    if (read) return told;
    for (const auto& mistake : read.error()) {
        EXPECT_GE(mistake.line, 1U) << mistake.message;
        told.push_back(mistake.path + ": " + mistake.message);
    }
    return told;
}

TEST(RubricMistakes, TheRubricThatTheCasesChangeIsGood) {
    EXPECT_THAT(mistakes_in(rubric_of({})), testing::IsEmpty());
    EXPECT_THAT(mistakes_in(rubric_of({.series = R"("references": ["a"])", .game = "superball"})),
                testing::IsEmpty());
}

// Rows of `PART = TEXT | PART = TEXT -> MEMBER: SAYS`: with these parts, all others as in `others`,
// it has that one mistake.
void expect_each(const std::string& table, const Parts& others = {}) {
    for (const auto& [changes, member, says] : tests::mistake_rows(table)) {
        auto parts = others;
        const std::map<std::string, std::string*> places{
            {"rule", &parts.rule},    {"step", &parts.step}, {"series", &parts.series},
            {"top", &parts.top},      {"game", &parts.game}, {"more_steps", &parts.more_steps},
            {"judged", &parts.judged}};
        for (std::size_t at = 0; at < changes.size();) {
            const auto end = std::min(changes.find(" | ", at), changes.size());
            const auto sign = changes.find(" = ", at);
            *places.at(changes.substr(at, sign - at)) = changes.substr(sign + 3, end - sign - 3);
            at = end + 3;
        }
        const auto told = mistakes_in(rubric_of(parts));
        ASSERT_EQ(told.size(), 1U) << changes << "\n" << testing::PrintToString(told);
        EXPECT_THAT(told[0], HasSubstr(member + ": ")) << changes;
        EXPECT_THAT(told[0], HasSubstr(says)) << changes;
    }
}

TEST(RubricMistakes, OfTheWhole) {
    expect_each(R"rows(
        top = "sede": 1, -> sede: no such member here
        top = "pass": 10.01, -> pass: at most the 10 points
        top = "pass": -1, -> pass: expected a number from 0
        top = "seed": -1, -> seed: expected an integer
        top = "time_max": "0s", -> time_max: expected more than no time
        top = "time_max": "soon", -> time_max: expected a time
        top = "limits": {"memory": 1}, -> limits.memory: no such member here
        top = "late": {}, -> late: found neither
        top = "late": {"zero": true, "points_per_day": 5}, -> late: found both
        top = "late": {"points_per_day": 0}, -> late.points_per_day: expected a number
        game = chess -> game: expected one of
        more_steps = , {"id": "y", "title": "t", "points": 1, "series": ["s"], "rule": {"kind": "wins"}}
            -> steps[1].rule.at_least: expected an integer
        more_steps = , 5 -> steps[1]: expected an object
    )rows");
}

TEST(RubricMistakes, OfSeries) {
    expect_each(R"rows(
        series = "opponents": ["c"] -> series[0].opponents: "c" is none of the rubric's bots
        series = "opponents": ["a", "a"] -> series[0].opponents[1]: stands twice
        series = "opponents": [] -> series[0].opponents: expected 1 to 7 opponents
        series = "opponents": ["a"], "references": ["b"]
            -> series[0].references: only a game for one player
        series = "opponents": ["a"] | game = superball -> series[0].opponents: has one player
        series = "generated": {"type": "x"} | game = superball
            -> series[0].generated: the game superball has no maps
        series = "opponents": ["a"], "oponents": 1 -> series[0].oponents: no such member here
        series = "opponents": ["a"], "params": [] -> series[0].params: expected an object
        series = "opponents": ["a"], "setups": {} -> series[0].setups: expected a list such as
        series = "opponents": ["a"], "maps": 5 -> series[0].maps: expected a
        series = "opponents": ["a"], "as_good_as": {"worse": 0.5}
            -> series[0].as_good_as.worse: expected less than
        series = "opponents": ["a"], "as_good_as": {"fair": 1}
            -> series[0].as_good_as.fair: expected a number from 0.01
        series = "opponents": ["a"], "as_good_as": {"matches_max": 0}
            -> series[0].as_good_as.matches_max: expected an integer
        series = "opponents": ["a"]}, {"id": "s", "opponents": ["a"]
            -> series[1].id: two series have the id
        series = "opponents": ["a"]}, {"id": "u", "opponents": ["a"]
            -> series[1]: no step judges the series "u"
        series = "opponents": ["a"]}, {"id": "a b", "opponents": ["a"] | judged = ["s", "a b"]
            -> series[1].id: letters, digits, - or _
    )rows");
}

TEST(RubricMistakes, ANameThatIsNearlyThatOfABotIsAnsweredWithIt) {
    auto text = rubric_of({.series = R"("opponents": ["gredy"])"});
    text.replace(text.find("\"b\""), 3, "\"greedy\"");
    EXPECT_THAT(
        mistakes_in(text),
        ElementsAre(HasSubstr("series[0].opponents: \"gredy\" is none of the rubric's bots; "
                              "did you mean \"greedy\"?; expected some of: ")));
}

TEST(RubricMistakes, OfSteps) {
    const std::string second =
        R"( | more_steps = , {"title": "t", "points": 1, "series": ["s"], "rule": {"kind": "faultless"}, )";
    expect_each(R"rows(
        step = "points": 0 -> steps[0].points: expected a number from 0.01
        step = "points": -3 -> steps[0].points: expected a number from 0.01
        step = "points": 0.125 -> steps[0].points: at most two decimals
        step = "extra": false -> steps[0].points: expected a number
        step = "points": 1, "needs": ["z"] -> steps[0].needs: no step has the id "z"
        step = "points": 1, "needs": ["x"]
            -> steps[0].needs: a circle, so none of these can be passed: x needs x
        step = "points": 1, "point": 1 -> steps[0].point: no such member here
        step = "points": 1, "group": "" -> steps[0].group: expected a text
    )rows");
    expect_each(R"(step = "points": 1, "needs": ["y"])" + second +
                R"("id": "y", "needs": ["x"]} -> steps[0].needs: x needs y needs x)");
    expect_each(
        R"(step = "points": 1, "group": "g")" + second +
        R"("id": "y", "group": "g", "extra": true} -> steps[1].group: only the best counts)");
    expect_each(R"(step = "points": 10)" + second +
                R"("id": "x"} -> steps[1].id: two steps have the id "x")");
}

TEST(RubricMistakes, OfRules) {
    expect_each(R"rows(
        rule = {"kind": "good"} -> steps[0].rule.kind: expected one of
        rule = {} -> steps[0].rule.kind: expected one of
        rule = "wins" -> steps[0].rule: expected an object
        rule = {"kind": "faultless", "at_least": 2} -> steps[0].rule.at_least: no such member here
        rule = {"kind": "wins", "at_least": 0} -> steps[0].rule.at_least: from 1
        rule = {"kind": "wins", "at_least": 4} | series = "opponents": ["a"], "match": {"games": 3}
            -> steps[0].rule: asks for 4 wins of 3 games
        rule = {"kind": "average_score"} -> steps[0].rule.at_least: expected a number
        rule = {"kind": "score_of", "reference": "b"} | series = "references": ["a"] | game = superball
            -> steps[0].rule: "b" is no reference of the series
        rule = {"kind": "score_of"} | series = "references": ["a"] | game = superball
            -> steps[0].rule.reference: expected a
        rule = {"kind": "score_of", "reference": "a", "share": 0} | series = "references": ["a"] | game = superball
            -> steps[0].rule.share: expected a number
        rule = {"kind": "share_of", "reached": "score"} -> steps[0].rule.attainable: expected a
        rule = {"kind": "always", "member": ""} -> steps[0].rule.member: expected a text such as
        rule = {"kind": "is_as_good"} -> steps[0].rule: expected one series that has "as_good_as"
        rule = {"kind": "wins", "at_least": 1} | series = "opponents": ["a"], "as_good_as": {}
            -> steps[0].rule: nobody knows how many games
        rule = {"kind": "each_win"} | series = "opponents": ["a"], "as_good_as": {}
            -> steps[0].rule: nobody knows how many games
        judged = ["r", "s"] -> steps[0].series: no series has the id "r"
        judged = ["s", "s"] -> steps[0].series[1]: stands twice
        rule = {"kind": "place", "points": [20]} | step = "extra": true
            -> steps[0].series: expected no series beside the rule "place"
    )rows");
    expect_each(
        R"rows(
        rule = {"kind": "place", "points": [5, 10]} -> steps[0].rule.points[1]: expected them to fall
        rule = {"kind": "place", "points": []} -> steps[0].rule.points: points for 1 to 100 places
        step = "points": 4 | rule = {"kind": "place", "points": [5]}
            -> steps[0].points: points of the first place
    )rows",
        {.step = R"("extra": true)",
         .more_steps =
             R"(, {"id": "j", "title": "t", "points": 1, "series": ["s"], "rule": {"kind": "faultless"}})",
         .judged = "[]"});
}

TEST(RubricMistakes, OfBuilds) {
    expect_each(R"rows(
        top = "build": {"command": "make\nrm"}, -> build.command: expected one line of text
        top = "build": {"command": ""}, -> build.command: expected one line of text
        top = "build": {"in": 3}, -> build.in: expected a text
        top = "build": {"run": []}, -> build.run: expected 1 to 100 words
        top = "build": {"run": [""]}, -> build.run[0]: expected a word of a command
        top = "build": {"within": "10ms"}, -> build.within: expected 1s to 1h
        top = "build": {"within": "2h"}, -> build.within: expected 1s to 1h
        top = "build": {"memory_mb": 3}, -> build.memory_mb: 64
        top = "build": {"comand": "make"}, -> build.comand: no such member here
        top = "build": "make", -> build: expected an object
    )rows");
}

// A series that has runs in place of games.
Parts with_runs(const std::string& members) {
    return {
        .rule = R"({"kind": "right"})",
        .series = R"("runs": {"command": ["./a", "8"], "reference": ["b"], "inputs": "boards")" +
                  members + '}',
        .game = "superball"};
}

TEST(RubricMistakes, OfRuns) {
    expect_each(R"rows(
        series = "runs": 5 -> series[0].runs: expected an object
        series = "runs": {"reference": ["b"], "inputs": "i"} -> series[0].runs.command: expected
        series = "runs": {"command": [], "reference": ["b"], "inputs": "i"}
            -> series[0].runs.command: expected 1 to 100 words of a command, such as
        series = "runs": {"command": [""], "reference": ["b"], "inputs": "i"}
            -> series[0].runs.command[0]: a word of a command
        series = "runs": {"command": ["./a"], "reference": "b", "inputs": "i"}
            -> series[0].runs.reference: expected a list
        series = "runs": {"command": ["./a"], "reference": ["b"], "inputs": ""}
            -> series[0].runs.inputs: expected a folder
        rule = {"kind": "right", "at_least": 0} -> steps[0].rule.at_least: expected an integer
        rule = {"kind": "faultless"}
            -> steps[0].rule: judges games, and the series "s" has "runs"; expected "right" or
    )rows",
                with_runs(""));
    expect_each(R"rows(
        rule = {"kind": "each_right"} -> steps[0].rule: judges runs, and the series "s" has games
    )rows");
    for (const auto& [more, member, says] : tests::mistake_rows(R"rows(
        , "check": "sorted" -> check: "any_order", a checker's command
        , "time": "0s" -> time: more than no time
        , "time": "2h" -> time: at most 1h
        , "tiem": "1s" -> tiem: no such member here
    )rows"))
        EXPECT_THAT(mistakes_in(rubric_of(with_runs(more))),
                    ElementsAre(AllOf(HasSubstr("series[0].runs." + member), HasSubstr(says))));
    auto beside = with_runs("");
    beside.series += R"(, "match": {"games": 3})";
    EXPECT_THAT(mistakes_in(rubric_of(beside)), ElementsAre(HasSubstr("in place of games")));
}

TEST(RubricMistakes, TooManyAreTold) {
    std::string series = R"("opponents": ["a"])";
    std::string judged = R"("s")";
    for (std::size_t i = 0; i < rubric_series_max; ++i) {
        series += R"(}, {"id": "s)" + std::to_string(i) + R"(", "opponents": ["a"])";
        judged += R"(, "s)" + std::to_string(i) + '"';
    }
    std::string steps;
    for (std::size_t i = 0; i < rubric_steps_max; ++i) {
        steps += R"(, {"id": "y)" + std::to_string(i) +
                 R"(", "title": "t", "points": 1, "series": ["s"], "rule": {"kind": "faultless"}})";
    }
    EXPECT_THAT(mistakes_in(rubric_of({.more_steps = steps})),
                testing::Contains(HasSubstr("steps: expected at most 100 steps, found 101")));
    EXPECT_THAT(mistakes_in(rubric_of({.series = series, .judged = '[' + judged + ']'})),
                testing::Contains(HasSubstr("series: expected at most 100 series, found 101")));
}

TEST(RubricMistakes, WhatIsNoRubricIsTold) {
    EXPECT_THAT(mistakes_in("[]"), ElementsAre(HasSubstr("expected an object such as")));
    EXPECT_THAT(mistakes_in("{\n\"title\" 5}").size(), 1U);
    EXPECT_THAT(mistakes_in("{}"), testing::IsSupersetOf({HasSubstr("title: "), HasSubstr("game: "),
                                                          HasSubstr("steps: ")}));
    EXPECT_THAT(mistakes_in(R"({"title": "a\nb", "game": "walls", "steps": []})"),
                ElementsAre(HasSubstr("title: expected one line of"),
                            HasSubstr("steps: expected at least one step")));
}

TEST(RubricMistakes, ComeByLines) {
    const auto read =
        read_rubric("{\n\"title\": 5,\n\"game\": \"walls\",\n\"steps\": 6\n}", "/srv");
    ASSERT_FALSE(read);
    ASSERT_EQ(read.error().size(), 2U);
    EXPECT_EQ(read.error()[0].line, 2U);
    EXPECT_EQ(read.error()[0].path, "title");
    EXPECT_EQ(read.error()[1].line, 4U);
}

// Told before a game is played, and not after all of them.
TEST(RubricMistakes, AMemberThatNoOutcomeHasIsTold) {
    const std::string alone = R"("match": {"games": 3})";
    expect_each(R"rows(
        rule = {"kind": "share_of", "attainable": "attainable", "reached": "scoer"} | game = e7_planets
                | series = "match": {"games": 3}, "setups": [{"map": "one_scrap"}]
            -> steps[0].rule: has a number "scoer"; did you mean "score"? Expected one of: "max_turns",
        rule = {"kind": "share_of", "attainable": "attainable"} | game = superball | series = "match": {"games": 3}
            -> steps[0].rule: has a number "attainable"; expected one of: "score", "moves"
        rule = {"kind": "always", "member": "finishd"} | game = snake_labyrinth | series = "match": {"games": 3}
            -> steps[0].rule: has a truth "finishd"; did you mean "finished"?
        rule = {"kind": "always", "member": "coins"} | game = snake_labyrinth | series = "match": {"games": 3}
            -> steps[0].rule: has a truth "coins"
        rule = {"kind": "always", "member": "win"} -> steps[0].rule: expected another kind of rule
        rule = {"kind": "each_win"} | game = superball | series = "match": {"games": 3}
            -> steps[0].rule: no game of Superball is ever won
        rule = {"kind": "wins", "at_least": 2, "winnable": 1} | series = "opponents": ["a"], "match": {"games": 3}
            -> steps[0].rule: asks for 2 wins where only 1 can be had
        rule = {"kind": "wins", "at_least": 1, "winnable": 4} | series = "opponents": ["a"], "match": {"games": 3}
            -> steps[0].rule: says that 4 of 3 games can be won
    )rows");
    for (const auto* const good :
         {R"({"kind": "share_of", "attainable": "attainable"})",
          R"({"kind": "share_of", "attainable": "scraps_total_value", "reached": "score"})",
          R"({"kind": "always", "member": "win"})", R"({"kind": "each_win"})"})
        EXPECT_THAT(mistakes_in(rubric_of({.rule = good, .series = alone, .game = "e7_planets"})),
                    testing::IsEmpty())
            << good;
}

}  // namespace
}  // namespace referee::rubric
