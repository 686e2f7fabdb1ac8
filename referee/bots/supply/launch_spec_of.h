#pragma once

#include <string>

#include "referee/bots/launcher/launch_spec.h"
#include "referee/config/config.h"

namespace referee::supply {

// How the launcher starts a bot of the config. `token` is what it logs in with; `address` is where
// it dials in, if it does.
launcher::LaunchSpec launch_spec_of(const config::BotConfig& bot, const std::string& token,
                                    const std::string& address);

}  // namespace referee::supply
