#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/exit_code.h"
#include "referee/files/descriptor.h"
#include "referee/grading/dry_run.h"
#include "referee/grading/submission/submission.h"
#include "referee/grading/verdict/grade.h"

// What a grading reads and writes.

namespace referee::grading {

// The rubric in a file; else all its mistakes, each as a line: "rubric.json:7: steps[0].points:
// ...".
base::Result<rubric::Rubric, std::vector<std::string>> read_rubric_file(const std::string& file);
// The folder from which the rubric's own paths go, absolute.
std::string folder_of_rubric(const std::string& file);

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

// Why grades may not be written into `out`: it is a symbolic link, or lies in one of `folders`,
// which programs see and students fill. Links are resolved. Empty where they may.
std::string mistake_in_place(const std::string& out, const std::vector<std::string>& folders);

// Makes the folder and its "games", and keeps other gradings off it for as long as the descriptor
// lives. An error says who holds it, or why it can't be made; then nothing was changed.
base::Result<files::Descriptor, std::string> take_place(const std::string& out);

struct GradingOptions {
    std::string rubric;  // the file
    std::string out;     // the folder for grades and games; what was played there goes on
    std::vector<GradedSubmission> submissions;
    bool single = false;  // one submission, whose files lie in `out` itself
    // The rubric's own reference bots are graded in place of submissions, and a table tells what
    // each gets.
    bool dry_run = false;
    // Folders that students fill or programs see: `out` may lie in none of them.
    std::vector<std::string> foreign_folders;
    // A tournament's standings.json, for extra points by place; empty: none.
    std::string standings;
    ExtraFiles extra;    // beside those in `out`
    std::string resume;  // what goes on: a command; empty where `out` is not kept
    Foretell estimate_tournaments;
    // The screen shows a single grade as its student may read it, who reads a CI job's; else as the
    // instructor does.
    bool instructor = false;
    bool quiet = false;
    bool terminal = false;
    bool unsandboxed = false;
};

// Plays what the rubric says, and writes the grades: for each submission grade.json, feedback.md,
// feedback.html and report.txt below `out`, for a class grades.csv and grades.txt too. What is to
// be known at once goes to `screen`; the log goes to grading.log in `out`, because it tells of
// hidden games.
Ending grade(const GradingOptions& options, std::ostream& screen);

}  // namespace referee::grading
