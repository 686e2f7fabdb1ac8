#pragma once

#include <string>
#include <vector>

#include "referee/grading/verdict/grade.h"

namespace referee::grading {

// Each writes files, and says why one can't be written; empty where all is well.

// grade.json and report.txt for the instructor; feedback.md and feedback.html for the student.
std::string write_grade(const std::string& folder, const verdict::Grade& grade);
// grades.csv, grades.txt and grades.json.
std::string write_class(const std::string& folder, const std::vector<verdict::Grade>& grades);

// Files that others read; those with an empty name are not written.
struct ExtraFiles {
    std::string junit;
    std::string gradescope;    // of a single grade
    std::string step_summary;  // is added to
};
// What an earlier grading wrote there tells nothing of this one. What is added to stays.
void remove_extra(const ExtraFiles& files);
std::string write_extra(const ExtraFiles& files, const std::vector<verdict::Grade>& grades);

}  // namespace referee::grading
