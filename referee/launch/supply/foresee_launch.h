#pragma once

#include <string>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/launch/process/launch_spec.h"
#include "referee/launch/sandbox/tier.h"

namespace referee::supply {

// An error says how the launch of this bot in such a sandbox would fail as things are now, as far
// as that can be seen without launching it; or what its command needs and would not see there.
base::Result<void, process::LaunchError> foresee_launch(const config::BotConfig& bot,
                                                        const std::string& search_path,
                                                        sandbox::Tier tier);

// Of a bot whose process ended before its login in the sandbox: what its command needs and does not
// see there, so that it may well start outside; with what helps. Empty: nothing, or what its author
// has linked to, which is its own matter.
std::string unseen_in_sandbox(const config::BotConfig& bot, const std::string& search_path);

}  // namespace referee::supply
