#pragma once

#include <iosfwd>
#include <string>

#include "referee/exit_code.h"
#include "referee/submit/collect/collect_options.h"

namespace referee::collect {

// Builds what one student handed in, as `collect` builds that of a class: an archive, a single file
// or a folder, which is only read. What was built stands in OUT/submissions/NAME as soon as all of
// it is there. exit_no: it can't be taken, or does not build; its submission.json says why.
// `terms.archives` and `terms.roster` are not looked at.
ExitCode build_single(const CollectOptions& terms, const std::string& source,
                      const std::string& name, std::ostream& out, std::ostream& errors);

}  // namespace referee::collect
