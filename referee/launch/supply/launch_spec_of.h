#pragma once

#include <string>

#include "referee/config/config.h"
#include "referee/launch/process/launch_spec.h"
#include "referee/launch/sandbox/tier.h"

namespace referee::supply {

// What a launch depends on beside the bot's config.
struct LaunchPlace {
    std::string token;        // what it logs in with
    std::string address;      // where the referee listens, for a bot that dials in
    std::string search_path;  // where programs without a slash are looked for
    // The sandbox that it runs in; none: with the rights of the referee's own user.
    sandbox::Tier tier = sandbox::Tier::none;
};

// How the launcher starts a bot of the config.
process::LaunchSpec launch_spec_of(const config::BotConfig& bot, const LaunchPlace& place);

}  // namespace referee::supply
