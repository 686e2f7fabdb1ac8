#pragma once

// The limits of a launched bot in the sandbox: its config's, or the defaults.

#include <cstdint>

#include "referee/config/config.h"

namespace referee::supply {

inline constexpr std::uint64_t bytes_a_mb = 1024 * 1024;

std::uint64_t memory_mb_of(const config::BotConfig& bot);
std::uint64_t disk_mb_of(const config::BotConfig& bot);
std::uint64_t processes_of(const config::BotConfig& bot);

}  // namespace referee::supply
