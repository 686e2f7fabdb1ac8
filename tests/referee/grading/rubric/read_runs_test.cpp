// Series that have runs in place of games, and the rules that judge them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/grading/rubric/read_rubric.h"
#include "tests/mistake_rows.h"

namespace referee::rubric {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string good_runs =
    R"({"command": ["./sb-read", "8"], "reference": ["sb-read", "8"], "inputs": "boards"})";

std::string rubric_with_runs(const std::string& runs,
                             const std::string& rule = R"({"kind": "right"})",
                             const std::string& beside = {}) {
    return R"({"title": "t", "game": "superball", "series": [{"id": "s", "runs": )" + runs +
           beside + R"(}, {"id": "games"}], "steps": [
             {"id": "x", "title": "t", "points": 1, "series": ["s"], "rule": )" +
           rule + R"(},
             {"id": "y", "title": "t", "points": 1, "series": ["games"], "rule": {"kind": "faultless"}}]})";
}

std::vector<std::string> mistakes_of_runs(const std::string& text) {
    const auto read = read_rubric(text, "/srv");
    std::vector<std::string> told;
    if (read) return told;
    for (const auto& mistake : read.error()) told.push_back(mistake.path + ": " + mistake.message);
    return told;
}

void expect_first(const std::vector<std::string>& told, const std::string& member,
                  const std::string& says) {
    ASSERT_FALSE(told.empty()) << member << ' ' << says;
    EXPECT_THAT(told[0], AllOf(HasSubstr(member + ": "), HasSubstr(says)));
}

TEST(ReadRuns, EachMemberIsRead) {
    const auto read = read_rubric(
        rubric_with_runs(R"({"command": ["./sb-analyze", "8"], "reference": ["sb-analyze", "8"],
                             "inputs": "boards", "check": ["sb-check-sets", "8"], "time": "2s"})",
                         R"({"kind": "right", "at_least": 18})", R"(, "hidden": true)"),
        "/srv");
    ASSERT_TRUE(read) << read.error()[0].path << ": " << read.error()[0].message;
    const auto& series = read->series[0];
    ASSERT_TRUE(series.runs);
    EXPECT_THAT(series.runs->command, ElementsAre("./sb-analyze", "8"));
    EXPECT_THAT(series.runs->reference, ElementsAre("sb-analyze", "8"));
    EXPECT_EQ(series.runs->inputs, "/srv/boards");
    EXPECT_EQ(series.runs->check, Runs::Check::program);
    EXPECT_THAT(series.runs->checker, ElementsAre("sb-check-sets", "8"));
    EXPECT_EQ(series.runs->time, std::chrono::seconds(2));
    EXPECT_EQ(std::get<Right>(read->steps[0].rule).at_least, 18U);
    EXPECT_TRUE(read->steps[0].hidden) << "its series is hidden";
    EXPECT_TRUE(read->has_games());
}

TEST(ReadRuns, WhatIsLeftOutHasItsDefault) {
    const auto read = read_rubric(rubric_with_runs(good_runs, R"({"kind": "each_right"})"), "/srv");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->series[0].runs->check, Runs::Check::same_lines);
    EXPECT_EQ(read->series[0].runs->time, std::chrono::seconds(10));
    EXPECT_TRUE(std::holds_alternative<EachRight>(read->steps[0].rule));
    auto any_order = good_runs;
    any_order.insert(1, R"("check": "any_order", )");
    const auto other = read_rubric(rubric_with_runs(any_order), "/srv");
    ASSERT_TRUE(other);
    EXPECT_EQ(other->series[0].runs->check, Runs::Check::any_order);
    EXPECT_EQ(std::get<Right>(other->steps[0].rule).at_least, 0U) << "all";
}

TEST(ReadRuns, MistakesAreTold) {
    for (const auto& [runs, member, says] : tests::mistake_rows(R"rows(
        {} -> series[0].runs.command: expected
        5 -> series[0].runs: expected an object
        {"command": [], "reference": ["b"], "inputs": "i"}
            -> series[0].runs.command: expected 1 to 100 words of a command, such as
        {"command": [""], "reference": ["b"], "inputs": "i"}
            -> series[0].runs.command[0]: a word of a command
        {"command": ["./a"], "reference": "b", "inputs": "i"}
            -> series[0].runs.reference: expected a list
        {"command": ["./a"], "reference": ["b"], "inputs": ""}
            -> series[0].runs.inputs: expected a folder
        {"command": ["./a"], "reference": ["b"], "inputs": "i", "check": "sorted"}
            -> series[0].runs.check: "any_order", a checker's command
        {"command": ["./a"], "reference": ["b"], "inputs": "i", "time": "0s"}
            -> series[0].runs.time: more than no time
        {"command": ["./a"], "reference": ["b"], "inputs": "i", "time": "2h"}
            -> series[0].runs.time: at most 1h
        {"command": ["./a"], "reference": ["b"], "inputs": "i", "tiem": "1s"}
            -> series[0].runs.tiem: no such member here
        {"command": ["./a"], "reference": ["b"], "inputs": "i"}, "match": {"games": 3}
            -> series[0].match: in place of games
    )rows"))
        expect_first(mistakes_of_runs(rubric_with_runs(runs)), member, says);
    for (const auto& [rule, member, says] : tests::mistake_rows(R"rows(
        {"kind": "right", "at_least": 0} -> steps[0].rule.at_least: expected an integer
        {"kind": "faultless"}
            -> steps[0].rule: judges games, and the series "s" has "runs"; expected "right" or
    )rows"))
        expect_first(mistakes_of_runs(rubric_with_runs(good_runs, rule)), member, says);
}

TEST(ReadRuns, ARuleOfRunsJudgesNoGames) {
    auto text = rubric_with_runs(good_runs);
    const std::string faultless = R"({"kind": "faultless"})";
    text.replace(text.find(faultless), faultless.size(), R"({"kind": "each_right"})");
    EXPECT_THAT(mistakes_of_runs(text),
                ElementsAre(AllOf(HasSubstr("steps[1].rule: "),
                                  HasSubstr("judges runs, and the series \"games\" has games"))));
}

}  // namespace
}  // namespace referee::rubric
