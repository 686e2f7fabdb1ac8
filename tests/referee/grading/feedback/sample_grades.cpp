#include "tests/referee/grading/feedback/sample_grades.h"

#include <gtest/gtest.h>

#include "referee/grading/feedback/grade_reports.h"

namespace referee::feedback {

using verdict::Grade;
using verdict::StepGrade;
using verdict::StepVerdict;

namespace {

StepGrade step(const std::string& id, StepVerdict verdict, double points, double of) {
    StepGrade step;
    step.step = id;
    step.title = "title of " + id;
    step.verdict = verdict;
    step.points = points;
    step.of = of;
    step.reason = "reason of " + id;
    step.advice = {"advice of " + id};
    step.games = {"ann.s/1." + id};
    return step;
}

}  // namespace

Grade grade_of_all() {
    Grade grade;
    grade.name = "ann";
    grade.students = {"ann@uni.example", "bob"};
    grade.points = 31.33;
    grade.of = 60;
    grade.late = true;
    grade.late_cost = 5;
    grade.lateness = "came 1 d after the deadline";
    grade.passed = true;
    grade.pass_mark = 30;
    grade.steps = {
        step("a", StepVerdict::passed, 21, 21), step("b", StepVerdict::partly, 3.33, 10),
        step("c", StepVerdict::failed, 0, 5),   step("d", StepVerdict::not_counted, 7, 7),
        step("e", StepVerdict::trouble, 0, 9),  step("h", StepVerdict::failed, 0, 8)};
    grade.steps[2].group = grade.steps[3].group = "g";
    grade.steps[5].hidden = true;
    grade.troubles = {"title of e: could not be judged"};
    grade.program = "walls-greedy sha256:01";
    grade.rubric_title = "Walls";
    grade.rubric_hash = "sha256:02";
    grade.version = "1.2";
    grade.machine = "lab, 8 cores";
    grade.sandbox = "A";
    grade.standard_error = "Traceback\n  line 3";
    return grade;
}

Grade hostile(const std::string& text) {
    auto grade = grade_of_all();
    grade.steps.pop_back();
    grade.name = text;
    grade.students = {text};
    grade.lateness = text;
    grade.unplayable = text;
    grade.troubles = {text};
    grade.program = grade.standard_error = text;
    for (auto& step : grade.steps) {
        step.reason = text;
        step.advice = {text, text};
        step.games = {text};
    }
    return grade;
}

const std::vector<std::string>& hostile_texts() {
    static const std::vector<std::string> texts{
        "<script>alert(1)</script><img src=x onerror='a'>&quot;]]>--><!--",
        "a|b\n| c | d |\n# title\n![x](http://evil.example/x.png) [l](javascript:a) @everyone `x` "
        "~~y~~",
        "\x1b[31mred\x1b[0m \xE2\x80\xAE turned \xff\xfe bad bytes \x01 \r\n ::error::forged",
        "=cmd|' /C calc'!A0\",\"x",
        "+1+cmd",
        "@SUM(A1)",
        "www.evil.example https://evil.example",
    };
    return texts;
}

std::map<std::string, std::string> pages_of(const Grade& grade) {
    return {{"json", json_of(grade, For::student)}, {"text", text_of(grade, For::student)},
            {"junit", junit_of({grade})},           {"gradescope", gradescope_of(grade)},
            {"markdown", markdown_of(grade)},       {"html", html_of(grade)}};
}

void expect_told(const std::string& text, const Words& told, const Words& untold) {
    for (const auto& words : told) EXPECT_NE(text.find(words), text.npos) << words << "\n" << text;
    for (const auto& words : untold)
        EXPECT_EQ(text.find(words), text.npos) << words << "\n" << text;
}

}  // namespace referee::feedback
