#pragma once

#include <string>

#include "protocol/base/result.h"
#include "referee/cluster/jobs/job.h"
#include "referee/cluster/jobs/job_result.h"
#include "referee/exit_code.h"

namespace referee::tournament {
class Tokens;
}

namespace referee::jobs {

// ---- job_run.cpp --------------------------------------------------------------------------------

// Plays a job's matches on the cores that this process has; the place is shown life meanwhile.
base::Result<JobResult, Ending> play_matches(const Job& job, const JobConfig& config,
                                             const ResultPlace& place, tournament::Tokens& tokens);

// ---- play_job.cpp -------------------------------------------------------------------------------

// Plays the job in this folder on the cores that this process has, and writes its result there,
// once. Where the result is there, nothing is played, and the status is that of success. A signal
// ends it soon, without a result: the job is then to be played again. The tokens are those of its
// bots.
Ending play_job(const std::string& folder, tournament::Tokens& tokens);

}  // namespace referee::jobs
