#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "referee/config/config.h"
#include "referee/connections/lobby/lobby.h"

namespace referee::house {

// What a config asks for, or leaves to the machine.

std::size_t games_at_once(const config::Config& config);
// On which launched bots may think.
std::size_t thinking_cores(const config::Config& config);
// Kinds of games, in the order of their names.
std::vector<std::string> games_of(const config::Config& config);
lobby::LobbyLimits lobby_limits_of(const config::Config& config);

}  // namespace referee::house
