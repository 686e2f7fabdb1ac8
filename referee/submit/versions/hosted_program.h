#pragma once

#include <string>

#include "protocol/base/result.h"
#include "referee/config/config.h"

namespace referee::versions {

// How what was built in a folder is launched: by the submission.json that `referee build` has left
// there. `terms` has the limits. An error says what is wrong with that file.
base::Result<config::BotConfig, std::string> program_built_in(const std::string& folder,
                                                              const std::string& bot,
                                                              const config::BotConfig& terms);

}  // namespace referee::versions
