#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "referee/exit_code.h"
#include "referee/files/file.h"
#include "referee/grading/games/grading_plan.h"
#include "referee/grading/grade_files.h"
#include "referee/grading/submission/submission.h"

namespace referee::grading {

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
    // The screen shows a single grade as its student may read it, who reads a CI job's; else as the
    // instructor does.
    bool instructor = false;
    bool quiet = false;
    bool terminal = false;
    bool unsandboxed = false;
};

// The rubric in a file, checked as grade() does: also for what its kinds of programs and a plan of
// its games and tools show, such as params that the game refuses, clocks, limits and maps. Else all
// mistakes, a line each.
base::Result<rubric::Rubric, std::vector<std::string>> read_checked_rubric(const std::string& file);

// Plays what the rubric says, and writes the grades: for each submission grade.json, feedback.md,
// feedback.html and report.txt below `out`, for a class grades.csv and grades.txt too. What is to
// be known at once goes to `screen`; the log goes to grading.log in `out`, because it tells of
// hidden games.
Ending grade(const GradingOptions& options, std::ostream& screen);

}  // namespace referee::grading
