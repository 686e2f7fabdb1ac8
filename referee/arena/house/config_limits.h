#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "referee/config/config.h"
#include "referee/connections/lobby/lobby.h"

namespace referee::house {

// What a config asks for; where it doesn't say, what the machine has.

std::size_t games_at_once(const config::Config& config);
// The number of cores on which launched bots may think.
std::size_t thinking_cores(const config::Config& config);
// The kinds of games that the config plays, in the order of their names.
std::vector<std::string> games_of(const config::Config& config);
lobby::LobbyLimits lobby_limits_of(const config::Config& config);

}  // namespace referee::house
