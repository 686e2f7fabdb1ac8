#include "referee/launch/supply/bot_limits.h"

#include "referee/launch/sandbox/allowance.h"

namespace referee::supply {

std::uint64_t memory_mb_of(const config::BotConfig& bot) {
    return bot.memory_mb_max > 0 ? bot.memory_mb_max
                                 : sandbox::SandboxAllowance::memory_bytes_default / bytes_a_mb;
}

std::uint64_t disk_mb_of(const config::BotConfig& bot) {
    return bot.disk_mb_max > 0 ? bot.disk_mb_max
                               : sandbox::SandboxAllowance::disk_bytes_default / bytes_a_mb;
}

std::uint64_t processes_of(const config::BotConfig& bot) {
    return bot.processes_max > 0 ? bot.processes_max
                                 : std::uint64_t{sandbox::SandboxAllowance::processes_default};
}

}  // namespace referee::supply
