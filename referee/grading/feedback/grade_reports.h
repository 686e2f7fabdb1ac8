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

}  // namespace referee::feedback
