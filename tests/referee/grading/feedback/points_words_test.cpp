// What a reader is told of points: whether they are enough, why some are missing, how they add up.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/grading/feedback/reports.h"
#include "tests/json.h"
#include "tests/referee/grading/feedback/sample_grades.h"

namespace referee::grading {
namespace {

using testing::HasSubstr;
using testing::Not;

// Where the rubric has no mark there is nothing to pass.
TEST(GradeWords, WithoutAMarkNobodyPassesOrFails) {
    auto grade = grade_of_all();
    grade.troubles.clear();
    std::erase_if(grade.steps, [](const auto& step) { return step.step == "e"; });
    for (const double mark : {30, 0}) {
        grade.pass_mark = mark;
        for (const auto& text : {text_of(grade, For::student), class_text_of({grade})})
            EXPECT_EQ(text.find("points, passed (30 are enough)") != std::string::npos, mark > 0)
                << text;
        EXPECT_EQ(class_text_of({grade}).find("1 passed") != std::string::npos, mark > 0);
    }
}

TEST(GradeWords, ALineForAGradebookSaysWhyPointsAreMissing) {
    auto grade = grade_of_all();
    const auto line = [&grade] {
        return nlohmann::json::parse(json_of(grade, For::student))["feedback"].get<std::string>();
    };
    EXPECT_THAT(line(), HasSubstr("title of b: 3.33 of 10 (reason of b. The first: advice of b)"));
    EXPECT_THAT(line(), Not(HasSubstr("reason of a"))) << "all of its points are there";
    EXPECT_THAT(line(), Not(HasSubstr("reason of h")));
    EXPECT_THAT(line(), HasSubstr("title of h: 0 of 8 (hidden)"));
    grade.unplayable = "reason of b";
    EXPECT_THAT(line(), HasSubstr("It did not play: reason of b."));
    EXPECT_THAT(line(), Not(HasSubstr("(reason of b"))) << "said once";
}

// Whoever adds the points of all steps up would come to another sum, of those that can be had, too.
TEST(GradeWords, WhatAGroupLeavesOutIsSaid) {
    auto grade = grade_of_all();
    grade.steps[3].verdict = verdict::StepVerdict::failed;
    const std::string_view remark = "the one with the most points counts alone";
    for (const auto& report : {text_of(grade, For::student), junit_of({grade}),
                               gradescope_of(grade), markdown_of(grade), html_of(grade)})
        EXPECT_THAT(report, HasSubstr(remark));
    grade.steps[2].group.clear();
    EXPECT_THAT(text_of(grade, For::student), Not(HasSubstr(remark))) << "it has one step";
}

}  // namespace
}  // namespace referee::grading
