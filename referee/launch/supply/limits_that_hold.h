#pragma once

// Whether this machine can hold the limits that the config sets for launched bots.

#include <cstdint>
#include <string>
#include <vector>

#include "referee/config/config.h"
#include "referee/launch/process/launcher.h"
#include "referee/launch/sandbox/tier.h"

namespace referee::supply {

// What limits are measured against; 0: not known.
struct LimitingMachine {
    std::uint64_t memory_bytes = 0;
    std::uint64_t processes = 0;  // and threads, that the kernel makes at most
};
LimitingMachine this_machine();

// What holds the limits here.
struct Holding {
    sandbox::Tier tier = sandbox::Tier::none;
    bool processes = false;  // whether anything bounds how many a bot makes
};

Holding holding_of(const process::Launcher& launcher);

// Of each limit that can't hold: what was found, what it means, what to do.
std::vector<std::string> remarks_on_limits(const config::Config& config, const Holding& holding,
                                           const LimitingMachine& machine);

}  // namespace referee::supply
