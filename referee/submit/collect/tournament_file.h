#pragma once

#include <string>

#include "protocol/base/result.h"
#include "referee/submit/collect/collect_options.h"
#include "referee/submit/collect/collection.h"

namespace referee::collect {

// A config for `referee run`, laid out for people, in which all submissions that can play meet each
// other, or have the same games where one plays alone. It stands in the output folder, and names
// paths from there. An error says why there is none: too few can play. Requires: the game is known.
base::Result<std::string, std::string> tournament_text(const CollectOptions& terms,
                                                       const Collection& collection,
                                                       const matching::ClassList& people);

}  // namespace referee::collect
