#pragma once

#include <sys/types.h>

#include <iosfwd>

#include "referee/exit_code.h"
#include "referee/submit/collect/collect_options.h"

namespace referee::collect {

// Bots in a sandbox are other users, who must read what they run.
inline constexpr mode_t mask_of_collected = 022;

// From the archives of a course to built submissions, as configs/GRADING.md tells it. Progress and
// complaints go to `errors`, the summary to `out`. exit_no: something could not be taken or did not
// build; what did is there all the same.
ExitCode collect(const CollectOptions& terms, std::ostream& out, std::ostream& errors);

}  // namespace referee::collect
