// What a reader is told of points: whether they are enough, why some are missing, how they add up.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/grading/feedback/grade_reports.h"
#include "tests/json.h"
#include "tests/referee/grading/feedback/sample_grades.h"

namespace referee::feedback {
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
    // All points of a are there.
    expect_told(
        line(),
        {"title of b: 3.33 of 10 (reason of b; advice of b)", "title of h: 0 of 8 (hidden)"},
        {"reason of a", "reason of h"});
    EXPECT_THAT(json_of(grade, For::instructor), HasSubstr("title of h: 0 of 8 (hidden)"))
        << "a gradebook takes it from the instructor's file, and students read it";
    grade.unplayable = "reason of b";
    expect_told(line(), {"It did not play: reason of b."}, {"(reason of b"});
}

// It may be a program of another kind than it was started as: that is no failure of its student.
TEST(GradeWords, AGradeInDoubtIsNotFinal) {
    auto grade = grade_of_all();
    grade.troubles.clear();
    grade.doubt = verdict::Doubt::wrong_kind;
    grade.started_by = "python3 bot.py";
    for (const auto reader : {For::student, For::instructor}) {
        expect_told(text_of(grade, reader),
                    {"not final, 31.33 of 60 points so far (30 are enough)\n",
                     "started by \"python3 bot.py\", as one that logs in",
                     "[not judged] title of c: its 5 points are open"},
                    {"[failed]", "had trouble"});
        const auto read = nlohmann::json::parse(json_of(grade, reader));
        EXPECT_EQ(read["final"], false);
        EXPECT_TRUE(read["points"].is_null());
        EXPECT_THAT(read["troubles"][0].get<std::string>(), HasSubstr("before its first move"));
    }
    EXPECT_THAT(text_of(grade, For::instructor), HasSubstr("    reason of c\n"));
    EXPECT_THAT(class_text_of({grade}),
                HasSubstr("so far (30 are enough), late, which costs 5: the program ended"));
    EXPECT_THAT(class_csv_of({grade}), HasSubstr(",,60,,no,"));
    EXPECT_FALSE(nlohmann::json::parse(gradescope_of(grade)).contains("score"));
    EXPECT_THAT(html_of(grade), Not(HasSubstr("not judged: not judged")));
}

// What stopped it everywhere is told in hidden steps too.
TEST(GradeWords, AProgramWithoutAValidMoveIsToldWhyInHiddenSteps) {
    auto grade = grade_of_all();
    grade.steps.back().in_kind = "the header is not the handout's";
    for (const auto& [name, page] : pages_of(grade))
        EXPECT_THAT(page, HasSubstr("the header is not the handout")) << name;
    EXPECT_THAT(json_of(grade, For::student),
                HasSubstr("title of h: 0 of 8 (hidden; the header is not the handout's)"));
    EXPECT_THAT(text_of(grade, For::student), Not(HasSubstr("reason of h")));
    grade.unplayable = "it was not built: exit status 1";
    EXPECT_THAT(text_of(grade, For::student), HasSubstr("hidden: it was not built"));
    grade.steps.back().verdict = verdict::StepVerdict::passed;
    EXPECT_THAT(text_of(grade, For::student), HasSubstr("hidden: no points are missing"));
}

TEST(GradeWords, AClassReportSaysWhyPointsAreMissing) {
    auto grade = grade_of_all();
    // All points of a are there, and nothing is hidden from the instructor.
    expect_told(class_reasons_of({grade}),
                {"ann\n    it came 1 d after the deadline. So 5 of the 36.33",
                 "\n    title of b: 3.33 of 10 points (reason of b; advice of b)\n",
                 "title of h: 0 of 8 points (reason of h; advice of h)"},
                {"title of a"});
    grade.unplayable = "it was not built: exit status 1";
    grade.build_output =
        "/usr/bin/ld: main.o: in function `main':\n"
        "main.c:3: undefined reference to `foo'\n"
        "collect2: error: ld returned 1 exit status\n";
    EXPECT_THAT(class_reasons_of({grade}),
                HasSubstr("    it did not play: it was not built: exit status 1 (main.c:3: "
                          "undefined reference to `foo')\n"));
    grade.build_output = "one\nthe last line\n\n";
    EXPECT_THAT(class_reasons_of({grade}), HasSubstr("exit status 1 (the last line)"));
    grade = grade_of_all();
    grade.late_cost = 0;
    grade.steps = {grade.steps.front()};
    EXPECT_EQ(class_reasons_of({grade}), "");
}

// A page, a class's report and its CSV call the same programs late, whatever that costs.
TEST(GradeWords, WhatIsLateIsLateEverywhere) {
    auto grade = grade_of_all();
    grade.troubles.clear();
    grade.late_cost = 0;
    grade.lateness = "came 1 d after the deadline, which costs nothing";
    for (const bool late : {true, false}) {
        grade.late = late;
        const auto page = text_of(grade, For::student);
        EXPECT_EQ(page.find("Late: it came 1 d") != std::string::npos, late) << page;
        EXPECT_EQ(page.find("In time: it came 1 d") != std::string::npos, !late) << page;
        const auto report = class_text_of({grade});
        EXPECT_EQ(report.find(", late, which costs nothing\n") != std::string::npos, late);
        EXPECT_EQ(report.find("1 late") != std::string::npos, late);
        EXPECT_EQ(class_csv_of({grade}).find(",yes,0,") != std::string::npos, late);
        EXPECT_EQ(json_of(grade, For::student).find(", late. It came") != std::string::npos, late);
    }
}

TEST(GradeWords, APageSaysHowToSeeItsGames) {
    auto grade = grade_of_all();
    EXPECT_THAT(text_of(grade, For::student), Not(HasSubstr("How to see")));
    grade.to_see = {"referee maps walls"};
    grade.to_explain = {"referee explain ann.s/1.a"};
    grade.inputs = {{"The input 07.txt", "a board"}};
    for (const auto& page : {text_of(grade, For::student), markdown_of(grade), html_of(grade)})
        expect_told(page, {"How to see it", "referee maps walls", "The input 07.txt", "a board"},
                    {"referee explain"});  // a student has no such folder
    EXPECT_THAT(text_of(grade, For::instructor), HasSubstr("referee explain ann.s/1.a"));
}

// What would help the machine is no student's business.
TEST(GradeWords, OfTroubleAStudentIsToldThatItIsNoFault) {
    auto grade = grade_of_all();
    grade.troubles = {"title of e: could not be judged: it can't start: expected \"reads\""};
    for (const auto& [name, page] : pages_of(grade))
        expect_told(page, {"not final"}, {"reads", "reason of e"});
    EXPECT_THAT(text_of(grade, For::instructor), HasSubstr("reads"));
}

// Whoever adds the points of all steps up would come to another sum, of those that can be had, too.
TEST(GradeWords, WhatAGroupLeavesOutIsSaid) {
    auto grade = grade_of_all();
    grade.steps[3].verdict = verdict::StepVerdict::failed;
    const std::string_view remark = "the one with the most points counts alone";
    EXPECT_THAT(
        text_of(grade, For::student),
        HasSubstr("Of the parts \"title of c\" and \"title of d\" (\"g\") " + std::string(remark)));
    auto pages = pages_of(grade);
    pages.erase("json");  // which has the groups
    for (const auto& [name, page] : pages) EXPECT_THAT(page, HasSubstr(remark)) << name;
    grade.steps[2].group.clear();
    EXPECT_THAT(text_of(grade, For::student), Not(HasSubstr(remark))) << "it has one step";
}

}  // namespace
}  // namespace referee::feedback
