#pragma once

#include <string>

#include "protocol/base/result.h"
#include "referee/exit_code.h"
#include "referee/grading/rubric/rubric.h"
#include "referee/grading/submission.h"

namespace referee::cli {

// What is wrong with how a rubric builds that only this machine's kinds of programs tell; empty
// where nothing is.
std::string wrong_build(const rubric::RubricBuild& build);

// One submission as it was handed in: an archive, a file or a folder, which is only read. It is
// built in the sandbox as a rubric says, in `folder`, which is ours and empty. A build that fails
// is the submission's doing, and stands in what is returned.
base::Result<grading::GradedSubmission, Ending> build_handed_in(const std::string& source,
                                                                const std::string& name,
                                                                const rubric::RubricBuild& build,
                                                                const std::string& folder,
                                                                bool unsandboxed);

}  // namespace referee::cli
