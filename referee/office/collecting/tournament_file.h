#pragma once

#include <string>

#include "protocol/base/result.h"
#include "referee/office/collecting/collection.h"
#include "referee/office/collecting/terms.h"

namespace referee::collecting {

// A config for `referee run` in which all submissions that can play meet each other; it stands in
// the output folder, and names paths from there. An error says why there is none: too few can play.
base::Result<std::string, std::string> tournament_text(const Terms& terms,
                                                       const Collection& collection,
                                                       const matching::ClassList& people);

}  // namespace referee::collecting
