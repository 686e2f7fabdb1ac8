#include "referee/grading/feedback/grade_reports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "referee/grading/rubric/rubric.h"
#include "referee/grading/verdict/phrases.h"
#include "tests/json.h"
#include "tests/referee/grading/feedback/sample_grades.h"

namespace referee::feedback {
namespace {

using testing::HasSubstr;
using verdict::Grade;

// The pages, and a class's texts.
std::map<std::string, std::string> texts_of(const Grade& grade) {
    auto texts = pages_of(grade);
    texts["class text"] = class_text_of({grade});
    texts["class csv"] = class_csv_of({grade});
    return texts;
}

TEST(GradeReports, HiddenStepsShowTitleAndPointsAlone) {
    auto grade = grade_of_all();
    grade.steps.back().average = verdict::Average{71.25, 2, "1234-1235"};
    for (const auto& [name, text] : texts_of(grade))
        expect_told(text, {},
                    {"1234", "71.25", "reason of h", "advice of h", "ann.s/1.h", "Traceback"});
    // Without the reason the test could not fail.
    for (const auto& [name, page] : pages_of(grade))
        expect_told(page, {"title of h", "reason of a"});
    expect_told(json_of(grade, For::instructor),
                {"reason of h", R"("average":{"score":71.25,"games":2,"seeds":"1234-1235"})"});
    expect_told(text_of(grade, For::instructor), {"advice of h", "Traceback"});
}

TEST(GradeReports, WithoutHiddenStepsStudentsSeeWhatTheirProgramWrote) {
    auto grade = grade_of_all();
    grade.steps.pop_back();
    for (const auto& [name, page] : pages_of(grade))
        EXPECT_THAT(page, HasSubstr("Traceback")) << name;
}

// A program that crashed at its start has seen no game that it could write down.
TEST(GradeReports, WhatABuildOrAStartPrintedIsShownBesideHiddenSteps) {
    auto grade = grade_of_all();
    grade.build_output = "main.c:3: error: expected ';'";
    for (const bool never_played : {true, false}) {
        grade.never_played = never_played;
        for (const auto& [name, page] : pages_of(grade)) {
            expect_told(page, {"main.c:3: error: expected "}, {"reason of h"});
            EXPECT_EQ(page.find("Traceback") != std::string::npos, never_played) << name;
        }
    }
}

TEST(GradeReports, OfWhatWasPrintedTheEndIsShown) {
    auto grade = grade_of_all();
    grade.steps.pop_back();
    grade.standard_error = "the first line\n";
    for (int i = 0; i < 5000; ++i) grade.standard_error += "a line\n";
    grade.standard_error += "SyntaxError: the last line\n";
    for (const auto& [name, page] : pages_of(grade)) {
        expect_told(page, {"SyntaxError: the last line"}, {"the first line"});
        EXPECT_LT(page.size(), 6 * verdict::feedback_output_bytes_max) << name;
    }
}

// Lines of Markdown that are no code.
std::string without_code(const std::string& markdown) {
    std::string rest;
    std::istringstream lines(markdown);
    for (std::string line; std::getline(lines, line);)
        if (!line.starts_with("    ")) rest += line + '\n';
    return rest;
}

TEST(GradeReports, NoTextOfAProgramIsObeyed) {
    for (const auto& text : hostile_texts()) {
        EXPECT_TRUE(nlohmann::json::accept(json_of(hostile(text), For::instructor))) << text;
        for (const auto& [name, shown] : texts_of(hostile(text))) {
            const bool is_json = name == "json" || name == "gradescope";
            EXPECT_TRUE(!is_json || nlohmann::json::accept(shown)) << shown;
            for (const char c : shown) {
                const auto byte = static_cast<unsigned char>(c);
                ASSERT_TRUE(byte == '\n' || byte >= ' ') << name << ": a control in " << shown;
                ASSERT_NE(byte, 0xFF) << name;
            }
            expect_told(shown, {}, {"\xE2\x80\xAE"});
            if (name == "html" || name == "junit" || name == "markdown")
                expect_told(name == "markdown" ? without_code(shown) : shown, {},
                            {"<script", "<img", "<!--", "]]>"});
        }
    }
}

TEST(GradeReports, MarkdownKeepsItsTableAndHasNoLinks) {
    for (const auto& text : hostile_texts()) {
        const auto shown = without_code(markdown_of(hostile(text)));
        std::size_t rows = 0;
        std::istringstream lines(shown);
        for (std::string line; std::getline(lines, line);) {
            EXPECT_FALSE(line.starts_with("::")) << line;
            if (!line.starts_with("| ")) continue;
            ++rows;
            std::size_t bars = 0;
            for (std::size_t i = 0; i < line.size(); ++i)
                if (line[i] == '|' && (i == 0 || line[i - 1] != '\\')) ++bars;
            EXPECT_EQ(bars, 5U) << line;
        }
        EXPECT_EQ(rows, 2 + 5U) << shown;
        std::string bare;  // without what is escaped
        for (std::size_t i = 0; i < shown.size(); ++i) {
            if (shown[i] == '\\') {
                ++i;
            } else {
                bare += shown[i];
            }
        }
        expect_told(bare, {}, {"http://", "https://", "www.", "](", "@", "![", "`"});
    }
}

TEST(GradeReports, ALogOfAJobHasNoOrders) {
    for (const auto* text : {"::error::forged", "  ::stop-commands::x", "a ##[add-mask]b ##[x]",
                             "b ##vso[task.complete result=Succeeded;]", "##teamcity[x]",
                             "one\n::set-output name=x::y\n##[error]"}) {
        auto grade = hostile(text);
        grade.build_output = text;
        for (const auto& [name, shown] : texts_of(grade)) {
            if (name == "json" || name == "gradescope" || name == "class csv") continue;  // data
            expect_told(shown, {}, {"##[", "##vso[", "##teamcity["});
            std::istringstream lines(shown);
            for (std::string line; std::getline(lines, line);) {
                const auto begin = line.find_first_not_of(' ');
                EXPECT_FALSE(begin != std::string::npos && line.substr(begin).starts_with("::"))
                    << name << ": " << line;
            }
        }
    }
}

// What isn't known is told as that in each format: no zero, no verdict, no place.
TEST(GradeReports, TroubleIsNobodysZero) {
    auto grade = grade_of_all();
    grade.points = 0;
    grade.passed = false;
    grade.steps = {grade.steps[4]};
    const auto json = nlohmann::json::parse(json_of(grade, For::instructor));
    EXPECT_TRUE(json["points"].is_null());
    EXPECT_EQ(json["points_so_far"], 0);
    EXPECT_TRUE(json["steps"][0]["points"].is_null());
    const auto gradescope = nlohmann::json::parse(gradescope_of(grade));
    EXPECT_FALSE(gradescope.contains("score"));
    EXPECT_FALSE(gradescope.contains("leaderboard"));
    EXPECT_FALSE(gradescope["tests"][0].contains("score"));
    EXPECT_THAT(gradescope["output"].get<std::string>(), HasSubstr("not the program's doing"));
    for (const auto& [name, text] : texts_of(grade))
        expect_told(text, {}, {"not passed", "[not judged] title of e: 0", "0 / 9", "\"0 of 9"});
    EXPECT_THAT(class_csv_of({grade}), HasSubstr(",,60,,no,"));
    EXPECT_THAT(class_text_of({grade}), HasSubstr("1 not final, 0 without points"));
}

TEST(GradeReports, AClassNamesWhoWasGraded) {
    auto other = grade_of_all();
    other.name = "aaron \"x\"";
    const auto read = nlohmann::json::parse(class_json_of({grade_of_all(), other}));
    EXPECT_EQ(read, nlohmann::json::parse(R"({"graded": ["aaron \"x\"", "ann"]})"));
}

TEST(GradeReports, CsvCellsAreNoFormulas) {
    for (const auto& text : hostile_texts()) {
        if (std::string_view("=+-@").find(text.front()) == std::string_view::npos) continue;
        const auto csv = class_csv_of({hostile(text)});
        const auto row = csv.substr(csv.find('\n') + 1);
        EXPECT_TRUE(row.starts_with('\'') || row.starts_with("\"'")) << row;
    }
}

TEST(GradeReports, JsonHasTheMembersThatOthersRead) {
    const auto read = nlohmann::json::parse(json_of(grade_of_all(), For::instructor));
    const auto members = nlohmann::json::parse(R"({"name": "ann", "of": 60, "points_so_far": 31.33,
        "students": ["ann@uni.example", "bob"], "passed": false, "final": false, "late_cost": 5})");
    for (const auto& [name, value] : members.items()) EXPECT_EQ(read[name], value) << name;
    auto settled = grade_of_all();
    settled.troubles.clear();
    const auto final = nlohmann::json::parse(json_of(settled, For::instructor));
    EXPECT_EQ(final["points"], 31.33);
    EXPECT_EQ(final["passed"], true);
    EXPECT_THAT(
        final["feedback"].get<std::string>(),
        testing::StartsWith(
            "31.33 of 60 points, passed (30 are enough), late. It came 1 d after the deadline. So "
            "5 of the 36.33 points that the parts give are taken off: 31.33 are left. title of a: "
            "21"));
    ASSERT_EQ(read["steps"].size(), 6U);
    EXPECT_EQ(read["steps"][1]["verdict"], "partly");
    EXPECT_EQ(read["steps"][1]["points"], 3.33);
    EXPECT_EQ(read["rubric"]["hash"], "sha256:02");
}

// The members that Gradescope's page on an autograder's output knows, and their values.
TEST(GradeReports, GradescopeHasOnlyWhatIsDocumented) {
    const std::set<std::string> members{"score",         "execution_time",     "output",
                                        "output_format", "test_output_format", "test_name_format",
                                        "visibility",    "stdout_visibility",  "extra_data",
                                        "tests",         "leaderboard"};
    const std::set<std::string> of_tests{"score",       "max_score",  "status",    "name",
                                         "name_format", "number",     "output",    "output_format",
                                         "tags",        "visibility", "extra_data"};
    auto grade = grade_of_all();
    grade.troubles.clear();
    const auto read = nlohmann::json::parse(gradescope_of(grade));
    for (const auto& [name, value] : read.items()) EXPECT_TRUE(members.contains(name)) << name;
    EXPECT_EQ(read["score"], 31.33);
    EXPECT_EQ(read["stdout_visibility"], "hidden");
    ASSERT_EQ(read["tests"].size(), 6U);
    for (const auto& test : read["tests"]) {
        for (const auto& [name, value] : test.items()) EXPECT_TRUE(of_tests.contains(name)) << name;
        EXPECT_EQ(test["visibility"], "visible");
        const auto status = test.value("status", "passed");
        EXPECT_TRUE(status == "passed" || status == "failed");
    }
    EXPECT_EQ(read["tests"][0]["status"], "passed");
    EXPECT_EQ(read["tests"][1]["score"], 3.33);
    EXPECT_FALSE(read["tests"][3].contains("score")) << "it isn't counted";
    EXPECT_FALSE(read["tests"][4].contains("score")) << "trouble is nobody's zero";
    EXPECT_FALSE(read["tests"][5].contains("output")) << "hidden";
    EXPECT_THAT(read["leaderboard"][0]["name"], "points");
}

TEST(GradeReports, JunitCountsFailuresErrorsAndWhatIsSkipped) {
    expect_told(junit_of({grade_of_all(), grade_of_all()}),
                {R"(<testsuites tests="12" failures="6" errors="2">)",
                 R"(<testsuite name="ann" tests="6" failures="3" errors="1" skipped="1">)",
                 R"(<testcase name="title of a" classname="Walls.a">)",
                 R"(<failure type="partly" message="3.33 of 10 points: reason of b">)",
                 R"(<error type="trouble")", "<skipped message="});
}

TEST(GradeReports, AFailedBuildIsToldInTheFeedbackCellAndInEachFailure) {
    auto grade = grade_of_all();
    grade.unplayable = "it was not built: make failed";
    grade.build_output = "main.c:3: error";
    const auto json = nlohmann::json::parse(json_of(grade, For::student));
    EXPECT_THAT(
        json["feedback"].get<std::string>(),
        HasSubstr(" It did not play: it was not built: make failed (main.c:3: error). title "
                  "of a: "));
    EXPECT_THAT(junit_of({grade}), HasSubstr("advice of c\nmain.c:3: error</failure>"));
}

TEST(GradeReports, HtmlStandsAlone) {
    const auto html = html_of(grade_of_all());
    EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
    expect_told(html, {"width=device-width", "color-scheme: light dark"},
                {"<script", "src=", "href=", "@import", "url("});
}

TEST(GradeReports, AClassIsInOrderOfNamesWithWhatIsToBeLookedAt) {
    auto late = grade_of_all();
    auto good = grade_of_all();
    good.name = "aaron";
    good.late = false;
    good.late_cost = 0;
    good.lateness.clear();
    good.troubles.clear();
    auto none = good;
    none.name = "zoe";
    none.points = 0;
    none.passed = false;
    none.late = true;  // and there was nothing to take off
    none.lateness = "came 1 d after the deadline";
    const auto text = class_text_of({none, late, good});
    EXPECT_LT(text.find("aaron"), text.find("ann  "));
    EXPECT_LT(text.find("ann  "), text.find("zoe"));
    expect_told(text,
                {"not final, 31.33 of 60 points so far (30 are enough), late, which costs 5: title "
                 "of e",
                 "zoe    0 of 60 points, not passed (30 are enough), late\n",
                 "3 grades: 1 passed, 2 late, 1 not final, 1 without points"});
    EXPECT_THAT(class_text_of({}), HasSubstr("0 grades"));
    const auto csv = class_csv_of({late, good});
    EXPECT_TRUE(
        csv.starts_with("name,students,points,of,passed,final,late,late_cost,a,b,c,d,e,h\n"
                        "aaron,\"ann@uni.example;bob\",31.33,60,yes,yes,no,0,21,3.33,0,not "
                        "counted,not judged,0\n"))
        << csv;
}

constexpr std::string_view rubric_text = R"({
  "title": "A | rubric", "game": "walls", "pass": 5, "late": {"grace": "2h", "points_per_day": 5},
  "bots": [{"name": "greedy", "launch": ["walls-greedy"]}],
  "series": [{"id": "open", "opponents": ["greedy"], "match": {"games": 3}},
             {"id": "secret", "opponents": ["greedy"], "match": {"games": 7}, "params": {"size": 77}, "hidden": true}],
  "steps": [{"id": "a", "title": "wins two", "points": 5, "series": ["open"], "rule": {"kind": "wins", "at_least": 2}},
            {"id": "b", "title": "wins more", "points": 4, "series": ["secret"], "rule": {"kind": "wins", "at_least": 6}}]
})";

TEST(RubricPage, StudentsReadWhatTheyMay) {
    const auto rubric = rubric::read_rubric(rubric_text, "/srv").value();
    expect_told(page_of(rubric, For::student),
                {"# A \\| rubric", "9 points in all. 5 are enough to pass.",
                 "costs 5 points. The first 2 h after", "3 games against greedy",
                 "Needed: at least 2 games are won.", "in 50 of 100 cases",
                 "wins more\n\n4 points.\n\nHidden:"},
                {"secret", "7 games", "77", "6 games"});
    expect_told(page_of(rubric, For::instructor),
                {"secret", "7 games against", "77", "6 games are won", "Hidden from"});
}

// Read as a student reads it, without a renderer.
TEST(RubricPage, IsPlainText) {
    constexpr std::string_view text = R"({
  "title": "A", "game": "walls", "bots": [{"name": "greedy", "launch": ["walls-greedy"]}],
  "series": [{"id": "s-1", "opponents": ["greedy"], "match": {"games": 4}, "params": {"size": 3}},
             {"id": "s-2", "opponents": ["greedy"], "match": {"games": 2}, "clock": {"budget": "50ms"}}],
  "steps": [{"id": "a-1", "title": "legal", "points": 5, "series": ["s-1", "s-2"], "rule": {"kind": "faultless"}, "group": "g"},
            {"id": "b-1", "title": "wins", "points": 4, "series": ["s-1"], "rule": {"kind": "wins", "at_least": 1, "winnable": 2},
             "needs": ["a-1"]}]
})";
    expect_told(page_of(rubric::read_rubric(text, "/srv").value(), For::student),
                {"Params: size 3.", "Time: 1 s of wall time for each turn.", "Time: budget 50ms.",
                 "Only the best of the parts of \"g\" counts.",
                 "unless all points of \"legal\" are reached",
                 "all of these: 4 games against greedy and 2 games",
                 "Of the 4 games only 2 can be won at all"},
                {"&quot;", "&#39;", "a-1", "b-1"});
}

}  // namespace
}  // namespace referee::feedback
