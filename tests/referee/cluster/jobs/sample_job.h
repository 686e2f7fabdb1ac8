#pragma once

#include <string>

#include "referee/cluster/jobs/job_result.h"

namespace tests {

inline constexpr const char* version_of_sample = "1.2.3";

// Two matches of Walls between ann and bob, the first of best of three games, and one that is the
// second game of a match alone.
referee::jobs::Job sample_job();

// A play of the game that ann (or else bob) has won.
referee::jobs::JobGameResult won_by(const referee::scheduler::MatchTask::Game& game,
                                    const std::string& winner);

// What becomes of the sample: ann wins all.
referee::jobs::JobResult sample_result(const referee::jobs::Job& job);

}  // namespace tests
