#pragma once

#include <string>

#include "protocol/base/result.h"
#include "referee/bots/launcher/launch_spec.h"
#include "referee/bots/sandbox/tier.h"
#include "referee/config/config.h"

namespace referee::supply {

// An error says how the launch of this bot in such a sandbox would fail as things are now, as far
// as that can be seen without launching it; or what its command needs and would not see there.
base::Result<void, launcher::LaunchError> foresee_launch(const config::BotConfig& bot,
                                                         const std::string& search_path,
                                                         sandbox::Tier tier);

}  // namespace referee::supply
