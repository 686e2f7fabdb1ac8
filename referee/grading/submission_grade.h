#pragma once

#include <set>
#include <string>

#include "referee/grading/games/grading_plan.h"
#include "referee/grading/games/played_records.h"
#include "referee/grading/grade_files.h"
#include "referee/grading/rubric/rubric.h"
#include "referee/grading/submission/submission.h"
#include "referee/grading/tools/tool_runs.h"
#include "referee/grading/verdict/grade.h"
#include "referee/run/tournament_run.h"

namespace referee::grading {

// What a grade is made of; all of it outlives what is made.
struct GradeSources {
    const rubric::Rubric& rubric;
    const Plan& plan;
    const verdict::TournamentPlaces* places;  // null: none were given
    const ToolRuns& tools;
    const PlayedRecords& records;
    const run::RunEnding& run;  // of a run that goes on: nothing yet
};

struct MadeGrade {
    verdict::Grade grade;
    bool is_silent = false;  // it may speak no protocol
    // Tournaments that came to their end and yet show nothing final, without the number of tries.
    std::set<std::string> to_try_again{};
};

MadeGrade grade_of(const GradedSubmission& submission, const GradeSources& of);

bool is_of_place(const rubric::Step& step);

// What is done about steps that could not be judged: a place comes with standings alone.
std::string what_is_missing(const std::vector<verdict::Grade>& grades, const rubric::Rubric& rubric,
                            bool places_known);

// What helps where a program of that game may speak no protocol: the kind of such programs, and
// where it is said.
std::string hint_of_kind(const std::string& game);

}  // namespace referee::grading
