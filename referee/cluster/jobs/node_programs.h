#pragma once

#include <string>

#include "protocol/base/result.h"
#include "referee/cluster/jobs/job.h"

namespace referee::jobs {

// An error says which bot's program isn't the one that the job names on this machine, and what to
// do. Reads the programs' files, and may wait for interpreters to tell their versions.
base::Result<void, std::string> check_programs(const Job& job);

}  // namespace referee::jobs
