#pragma once

// How much of the sandbox a command asks for, and how much a machine gives.

#include <string>
#include <vector>

#include "referee/config/bot_launch.h"

namespace referee::sandbox {

using Tier = config::SandboxTier;

// What a command asks of the sandbox.
struct SandboxWish {
    bool unsandboxed = false;  // bots run as other programs do
    // Below it no bot is launched, where the config doesn't say otherwise.
    Tier tier_min = Tier::none;
};

// Why a machine doesn't give a better tier, and how to get it.
struct SkippedTier {
    Tier tier = Tier::none;
    std::string found;   // "bubblewrap is not installed"
    std::string advice;  // "install it: apt install bubblewrap"
};

// What a machine was found to give.
struct Offer {
    Tier tier = Tier::none;
    std::vector<SkippedTier> passed_over;  // the best tier first
};

}  // namespace referee::sandbox
