#pragma once

#include <string>
#include <vector>

#include "referee/grading/rubric/rubric.h"
#include "referee/grading/verdict/grade.h"

// A grade, as others read it. Hidden steps show their title and points, and nothing else, in all of
// these but json_of() and text_of() for instructors.

namespace referee::feedback {

enum class For { student, instructor };

// ---- grade_json.cpp -----------------------------------------------------------------------------

std::string json_of(const verdict::Grade& grade, For reader);  // grade.json
std::string gradescope_of(const verdict::Grade& grade);        // results.json
// grades.json: {"graded": [...]}, the names of all who were graded, by which a gradebook knows
// whose grade is of an earlier class.
std::string class_json_of(const std::vector<verdict::Grade>& grades);

// ---- grade_reports.cpp --------------------------------------------------------------------------

std::string text_of(const verdict::Grade& grade, For reader);  // a terminal
std::string junit_of(
    const std::vector<verdict::Grade>& grades);        // one suite a grade, one case a step
std::string markdown_of(const verdict::Grade& grade);  // GitHub's step summary, feedback.md
std::string html_of(const verdict::Grade& grade);      // feedback.html, self-contained
// A class: a line each, in order of names, with the sum of what is to be looked at.
std::string class_text_of(const std::vector<verdict::Grade>& grades);
// Why each of them lacks points, a line a step; empty where nobody does.
std::string class_reasons_of(const std::vector<verdict::Grade>& grades);
std::string class_csv_of(const std::vector<verdict::Grade>& grades);

// ---- rubric_page.cpp ----------------------------------------------------------------------------

// The rubric in Markdown, as students may read it: points, opponents, how many games, how each step
// is decided and with which chances; of hidden steps only their titles and points. An instructor's
// page has all.
std::string page_of(const rubric::Rubric& rubric, For reader);

// ---- grade_view.cpp: of what all formats are made -----------------------------------------------

// What a reader is shown of a grade. All formats write this, so that nothing hidden and nothing
// that a terminal would obey reaches any of them.
//
// Strangers' texts are printable, and what was printed is cut to its end. For a student: no word of
// why the machine was in trouble; of hidden steps only title, group and points, and why the program
// gave no valid move in any game; and nothing of what the program wrote where some games are
// hidden, because it may have written them, unless it never came to play a game.
verdict::Grade view_for(const verdict::Grade& grade, For reader);

// "25 of 30 points".
std::string points_in_words(double points, double of);
// The same of a step; "its 9 points are open" where nobody knows them.
std::string points_in_words(const verdict::StepGrade& step);
// "25 of 30 points, passed (21 are enough)"; of a grade that isn't final "not final, 10 of 30
// points so far (21 are enough)": no zero, and no verdict, for what could not be judged.
std::string headline_of(const verdict::Grade& grade);
// "came 1 d after the deadline: 1 day begun, 5 points each. So 5 of the 30 points that the parts
// give are taken off: 25 are left".
std::string lateness_in_words(const verdict::Grade& grade);
// What a person is told above the steps, a line each: lateness, what is not final.
std::vector<std::string> remarks_on(const verdict::Grade& grade);
// Why points of the step are missing, " (won 1 of 3 games, and 2 are needed. The first: ...)";
// empty where none are, or where a line says already why nothing was played.
std::string why_not_all(const verdict::Grade& grade, const verdict::StepGrade& step);
// Why it did not play, with the compiler's line: "it was not built: exit status 1 (main.c:3: error:
// ...)". Requires: it did not.
std::string why_unplayable(const verdict::Grade& grade);
// What the program printed where it didn't come to play, or before its first fault, and what it was
// given: for each a heading and the text.
struct Printed {
    std::string heading;
    std::string text;
};
std::vector<Printed> printed_by(const verdict::Grade& grade);
// Whose grade: the students where they are known, else the submission's name.
std::string whose(const verdict::Grade& grade);
// The rubric, the program, the machine: a line each, "rubric: ...".
std::vector<std::string> origin_of(const verdict::Grade& grade);

}  // namespace referee::feedback
