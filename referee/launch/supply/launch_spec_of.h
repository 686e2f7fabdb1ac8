#pragma once

// How a bot of the config is launched, and what can be seen of that beforehand.

#include <cstdint>
#include <string>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/launch/process/launch_spec.h"
#include "referee/launch/sandbox/tier.h"

namespace referee::supply {

inline constexpr std::uint64_t bytes_a_mb = 1024 * 1024;

// Its limits in the sandbox: the config's, or the defaults.
inline std::uint64_t memory_mb_of(const config::BotConfig& bot) {
    constexpr auto otherwise = process::SandboxAllowance::memory_bytes_default / bytes_a_mb;
    return bot.memory_mb_max > 0 ? bot.memory_mb_max : otherwise;
}
inline std::uint64_t disk_mb_of(const config::BotConfig& bot) {
    constexpr auto otherwise = process::SandboxAllowance::disk_bytes_default / bytes_a_mb;
    return bot.disk_mb_max > 0 ? bot.disk_mb_max : otherwise;
}
inline std::uint64_t processes_of(const config::BotConfig& bot) {
    constexpr auto otherwise = process::LaunchLimits::processes_default;
    return bot.processes_max > 0 ? bot.processes_max : otherwise;
}

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

// An error says how the launch of this bot in such a sandbox would fail as things are now, as far
// as that can be seen without launching it; or what its command needs and would not see there.
base::Result<void, process::LaunchError> foresee_launch_of(const config::BotConfig& bot,
                                                           const std::string& search_path,
                                                           sandbox::Tier tier);

// Of a bot whose process ended before its login in the sandbox: what its command needs and does not
// see there, so that it may well start outside; with what helps. Empty: nothing, or what its author
// has linked to, which is its own matter.
std::string unseen_in_sandbox(const config::BotConfig& bot, const std::string& search_path);

}  // namespace referee::supply
