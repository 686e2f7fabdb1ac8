#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/estimate/tournament_estimate.h"
#include "referee/grading/rubric/rubric.h"
#include "referee/grading/submission/submission.h"

// Which tournaments are played for a rubric: one for each submission and series, and one for each
// reference and series. A tournament's id tells all that decides its games: the programs' bytes,
// the series, the seed. So what a change of the rubric or of a submission doesn't touch has its id,
// and is not played again.

namespace referee::grading {

struct PlannedSeries {
    std::string series;
    std::string player;  // the submission's or the reference's bot
    bool of_reference = false;
    std::size_t tournament = 0;  // its place in the config
};

struct Plan {
    config::Config config;
    std::vector<PlannedSeries> series;
};

struct PlanTerms {
    std::string rubric_folder;  // absolute; relative folders and files of the rubric's bots
    std::string out;            // absolute; where it is played
    // How many submissions may play at once: each such lane has opponents of its own.
    std::size_t lanes = 1;
    // How often each tournament was tried that came to trouble, by its id without the number of
    // tries.
    std::map<std::string, unsigned> tries;
};

// Says by which name each submission plays: by its own, or by another one where a bot of the rubric
// has that.
void name_players(const rubric::Rubric& rubric, std::span<GradedSubmission> submissions);

// Of its games; runs have a plan of their own (tool_plan.h). Mistakes name members of the rubric,
// or the submission. Reads the programs' files.
base::Result<Plan, std::vector<std::string>> plan_of(const rubric::Rubric& rubric,
                                                     std::span<const GradedSubmission> submissions,
                                                     const PlanTerms& terms);

// "ann-against-dumb-1f2e3d4c5b6a_2" without the "_2".
std::string without_tries(const std::string& tournament);

// The games of a submission run for so many times the rubric's `time_max` at most, in one call.
// That time is of the program's own thinking; an opponent that thinks as long as it does takes as
// much again.
inline constexpr int time_in_all_factor = 2;

// Two lines: how many submissions and games there are, how long they take, and the bound. Without
// games the first alone. `played`: by which the likely time is told.
std::string estimate_of(const rubric::Rubric& rubric, const Plan& plan, std::size_t submissions,
                        std::size_t lanes, const estimate::PlayedTimes& played);

}  // namespace referee::grading
