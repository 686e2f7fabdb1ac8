#pragma once

// How much of the sandbox a machine gives, and what a bot may have in it.

#include <cstdint>
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

// What a bot in the sandbox may have beyond its own folder and the system's programs.
struct SandboxAllowance {
    // A small virtual machine and its heap; thirty bots that play at once on a laptop are not
    // meant.
    static constexpr std::uint64_t memory_bytes_default = std::uint64_t{1} << 30;
    // Logs and tables of one run.
    static constexpr std::uint64_t disk_bytes_default = std::uint64_t{64} << 20;

    // Of all its processes together in tier A, what they keep in /tmp included; of each process
    // below A.
    std::uint64_t memory_bytes = memory_bytes_default;
    // What it may keep in /tmp. It is lost when the process ends.
    std::uint64_t disk_bytes = disk_bytes_default;
    // Files and folders that it may read and run, absolute, at the same place as outside.
    std::vector<std::string> reads;
};

}  // namespace referee::sandbox
