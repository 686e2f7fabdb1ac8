#pragma once

#include <span>
#include <string>

#include "protocol/base/result.h"
#include "referee/submit/collect/collect_options.h"
#include "referee/submit/collect/collection.h"
#include "referee/submit/collect/groups_file.h"
#include "referee/submit/collect/handed_in.h"

namespace referee::collect {

// Who handed in what, of all exports together: finds the students, joins groups and versions, gives
// names, compares with the deadlines. Puts the files of each submission's newest version into a
// folder of its own below `scratch`. `whose`: the instructor's word on groups. An error is the
// machine's trouble.
base::Result<Collection, std::string> gather(const CollectOptions& terms,
                                             const matching::ClassList& people,
                                             const WhoseByKey& whose,
                                             std::span<const UnpackedExport> exports,
                                             const std::string& scratch);

}  // namespace referee::collect
