#pragma once

#include <string>

#include "referee/cluster/jobs/job_folder.h"
#include "referee/tournament/tokens.h"

namespace referee::jobs {

// Plays the job in this folder on the cores that this process has, and writes its result there,
// once. Where the result is there, nothing is played, and the status is that of success. A signal
// ends it soon, without a result: the job is then to be played again. The tokens are those of its
// bots.
JobEnding play_job(const std::string& folder, tournament::Tokens& tokens);

}  // namespace referee::jobs
