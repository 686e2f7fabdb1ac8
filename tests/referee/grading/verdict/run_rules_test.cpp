// Runs of a submission's other programs: how outputs are compared, and what the rules make of it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/grading/feedback/grade_reports.h"
#include "referee/grading/verdict/grade.h"
#include "referee/grading/verdict/phrases.h"
#include "tests/referee/grading/feedback/sample_grades.h"

namespace referee::verdict {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(PrintedLines, BlanksAtLineEndsAndEmptyLinesAtTheEndDontCount) {
    for (const auto* const printed : {"a\nb\n", "a \nb", "a\r\nb\t\r\n\n \n"}) {
        EXPECT_EQ(difference_of_lines("a\nb\n", printed), "") << printed;
        EXPECT_EQ(difference_in_any_order("b\na\n", printed), "") << printed;
    }
    EXPECT_EQ(difference_of_lines("", "\n\n"), "");
}

TEST(PrintedLines, TheFirstDifferenceIsTold) {
    EXPECT_EQ(difference_of_lines("a\nb\n", "a\nc\n"), R"(line 2: expected "b", found "c")");
    EXPECT_EQ(difference_of_lines("a\nb\n", "a\n"),
              R"(line 2: expected "b", found the end after 1 line)");
    EXPECT_EQ(difference_of_lines("a\n", "a\n\nb\n"),
              R"(line 2: expected the end after 1 line, found "")");
    EXPECT_EQ(difference_of_lines("a 1", " a  1"),
              R"(line 1: expected "a 1", found " a  1": they differ in their blanks alone)");
    EXPECT_NE(difference_of_lines("a\nb", "b\na"), "");
}

TEST(PrintedLines, InAnyOrderEachLineCountsAsOftenAsItIsThere) {
    EXPECT_EQ(difference_in_any_order("a\na\nb", "a\nb\na"), "");
    EXPECT_EQ(difference_in_any_order("a\na\nb", "b\na"), R"(the line "a" is missing)");
    EXPECT_EQ(difference_in_any_order("a\nb", "b\na\na"), R"(line 3: "a" is there too often)");
    EXPECT_EQ(difference_in_any_order("a\nb", "a\nc"),
              R"(line 2: "c" is none of the lines that were expected)");
}

TEST(PrintedLines, AStrangersLineIsEscapedAndCut) {
    EXPECT_EQ(quoted_line("a\x1b[31m"), R"("a\x1b[31m")");
    const auto cut = quoted_line(std::string(shown_line_bytes_max + 1, 'x'));
    EXPECT_THAT(cut, testing::EndsWith("x...\""));
    EXPECT_LT(cut.size(), shown_line_bytes_max + 10);
}

rubric::Rubric rubric_of_runs(rubric::Rule rule, bool hidden = false) {
    rubric::Rubric rubric;
    rubric.title = "Superball, the tools";
    rubric.game = "superball";
    rubric::Series series;
    series.id = "read";
    auto& runs = series.runs.emplace();
    runs.command = {"./sb-read", "8"};
    runs.reference = {"sb-read", "8"};
    runs.inputs = "/srv/secret-boards";
    series.hidden = hidden;
    rubric.series = {series};
    rubric::Step step;
    step.id = "read";
    step.title = "it counts";
    step.points = 10;
    step.rule = rule;
    step.series = {"read"};
    step.hidden = hidden;
    rubric.steps = {step};
    return rubric;
}

// So many inputs, of which the first ones are right.
Played runs_played(std::size_t right, std::size_t all) {
    Played played;
    auto& series = played.series["read"];
    for (std::size_t i = 0; i < all; ++i) {
        PlayedRun run{"0" + std::to_string(i) + ".txt", i < right};
        if (!run.right) {
            run.reason = "line 1: expected \"a\", found \"b\x1b\"";
            run.printed = "Traceback\x1b";
        }
        series.runs.push_back(run);
    }
    return played;
}

StepGrade judged_runs(rubric::Rule rule, const Played& played) {
    return judge(rubric_of_runs(rule), played).steps.at(0);
}

TEST(RunRules, RightAsksForAllOrForSoMany) {
    EXPECT_EQ(judged_runs(rubric::Right{}, runs_played(4, 4)).verdict, StepVerdict::passed);
    const auto short_of = judged_runs(rubric::Right{}, runs_played(3, 4));
    EXPECT_EQ(short_of.verdict, StepVerdict::failed);
    EXPECT_EQ(short_of.reason, "right for 3 of 4 inputs, and must be for all");
    EXPECT_THAT(short_of.wrong_runs, ElementsAre("read/03.txt"));
    EXPECT_THAT(short_of.advice, ElementsAre(HasSubstr("input read/03.txt: line 1: expected")));
    const auto enough = judged_runs(rubric::Right{3}, runs_played(3, 4));
    EXPECT_EQ(enough.verdict, StepVerdict::passed);
    EXPECT_EQ(enough.points, 10);
    EXPECT_EQ(judged_runs(rubric::Right{3}, runs_played(2, 4)).verdict, StepVerdict::failed);
    const auto none = judged_runs(rubric::Right{}, runs_played(0, 9));
    EXPECT_THAT(none.advice,
                ElementsAre(HasSubstr("input read/00.txt and 8 more (01.txt, 02.txt, ")));
}

TEST(RunRules, EachRightGivesItsShare) {
    const auto part = judged_runs(rubric::EachRight{}, runs_played(1, 4));
    EXPECT_EQ(part.verdict, StepVerdict::partly);
    EXPECT_EQ(part.points, 2.5);
    EXPECT_EQ(judged_runs(rubric::EachRight{}, runs_played(4, 4)).points, 10);
    EXPECT_EQ(judged_runs(rubric::EachRight{}, runs_played(0, 4)).verdict, StepVerdict::failed);
}

TEST(RunRules, APlayerThatIsNotThereSpoilsNoRuns) {
    auto played = runs_played(4, 4);
    played.unplayable = "no program was found in it";
    EXPECT_EQ(judged_runs(rubric::Right{}, played).verdict, StepVerdict::passed);
    played.series["read"] = {};
    played.series["read"].cut_short = "it was not built";
    const auto unbuilt = judged_runs(rubric::Right{}, played);
    EXPECT_EQ(unbuilt.verdict, StepVerdict::failed);
    EXPECT_EQ(unbuilt.reason, "it was not built");
}

TEST(RunRules, AHiddenSeriesShowsStudentsNoInputAndNoReason) {
    auto played = runs_played(1, 2);
    auto grade = judge(rubric_of_runs(rubric::Right{}, true), played);
    grade.standard_error = last_words(played);
    EXPECT_EQ(grade.standard_error, "Traceback\x1b");
    feedback::expect_told(feedback::json_of(grade, feedback::For::student), {},
                          {"01.txt", "expected", "Traceback"});
    feedback::expect_told(feedback::json_of(grade, feedback::For::instructor),
                          {R"("wrong_inputs":["read/01.txt"])"}, {"\x1b"});
    feedback::expect_told(
        feedback::page_of(rubric_of_runs(rubric::Right{}, true), feedback::For::student),
        {"Hidden runs"}, {"sb-read"});
}

TEST(RunRules, ThePageTellsWhatIsRun) {
    feedback::expect_told(
        feedback::page_of(rubric_of_runs(rubric::Right{3}), feedback::For::student),
        {"runs of ./sb-read 8", "right for at least 3 inputs", "Time: 10 s for each"},
        {"secret", "games"});
    EXPECT_THAT(feedback::page_of(rubric_of_runs(rubric::Right{}), feedback::For::instructor),
                HasSubstr("secret"));
}

}  // namespace
}  // namespace referee::verdict
