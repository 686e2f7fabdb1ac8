#pragma once

#include <map>
#include <string>
#include <vector>

#include "referee/game/clock/time.h"
#include "referee/grading/rubric/rubric.h"
#include "referee/grading/submission/submission.h"
#include "referee/grading/verdict/grade.h"

// Grading a rubric's own reference bots: what it gives to programs whose strength is known.

namespace referee::grading {

// The rubric's bots, each program once, or the reference bots of its game where it has none, as if
// each were handed in; one alone where the rubric has no games, whose tools are the references.
// `rubric_folder`: absolute.
std::vector<GradedSubmission> reference_submissions(const rubric::Rubric& rubric,
                                                    const std::string& rubric_folder);

// A line a bot: its points, the points of each step, how long its games took.
std::string dry_run_table(const std::vector<verdict::Grade>& grades,
                          const std::map<std::string, Duration>& spans);

}  // namespace referee::grading
