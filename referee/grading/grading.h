#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/estimate/tournament_estimate.h"
#include "referee/exit_code.h"
#include "referee/files/descriptor.h"
#include "referee/game/clock/time.h"
#include "referee/grading/games/grading_plan.h"
#include "referee/grading/rubric/rubric.h"
#include "referee/grading/submission/submission.h"
#include "referee/grading/tools/tool_runs.h"
#include "referee/grading/verdict/grade.h"

// A grading: what it comes to, told before anything is played; what it reads and writes; itself.

namespace referee::grading {

// The games of a submission run for so many times the rubric's `time_max` at most, in one call.
// That time is of the program's own thinking; an opponent that thinks as long as it does takes as
// much again.
inline constexpr int time_in_all_factor = 2;

// Two lines: how many submissions and games there are, how long they take, and the bound. Where
// there are runs, a line more; and no line of games where there are none. `played`: by which the
// likely time is told.
std::string estimate_of(const rubric::Rubric& rubric, const Plan& plan, const ToolPlan& tools,
                        std::size_t submissions, std::size_t lanes,
                        const estimate::PlayedTimes& played);

// Grading a rubric's own reference bots: what it gives to programs whose strength is known.

// The rubric's bots, each program once, or the reference bots of its game where it has none, as if
// each were handed in; one alone where the rubric has no games, whose tools are the references.
// `rubric_folder`: absolute.
std::vector<GradedSubmission> reference_submissions(const rubric::Rubric& rubric,
                                                    const std::string& rubric_folder);

// A line a bot: its points, the points of each step, how long its games took.
std::string dry_run_table(const std::vector<verdict::Grade>& grades,
                          const std::map<std::string, Duration>& spans);

// What a grading reads and writes.

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
