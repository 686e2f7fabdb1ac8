#pragma once

#include <string>
#include <string_view>

#include "protocol/base/result.h"

namespace referee::cli {

// Writes a file that only its owner may read (mode 0600), whole or not at all. Where there is one
// of that name, that is refused, unless `overwrite`. An error says why, for a person.
base::Result<void, std::string> write_private_file(const std::string& file, std::string_view text,
                                                   bool overwrite);

}  // namespace referee::cli
