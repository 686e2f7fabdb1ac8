#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "referee/config/config.h"
#include "referee/net/lobby/lobby.h"

namespace referee::tournament {

// What a config asks for; where it doesn't say, what the machine has.
std::size_t games_at_once(const config::Config& config);
// Of these, with a bot that is launched.
std::size_t launched_games_at_once(const config::Config& config);
// The number of cores on which launched bots may think.
std::size_t thinking_cores(const config::Config& config);
// The kinds of games that the config plays, in the order of their names.
std::vector<std::string> games_of(const config::Config& config);
// Where the process may have fewer descriptors open than needed, strangers get fewer places, and
// bots the rest.
lobby::LobbyLimits lobby_limits_of(const config::Config& config, std::size_t descriptors_max);
// How many descriptors it takes when as much is open as the config allows.
std::size_t descriptors_needed(const config::Config& config);
// What a person should know where there can't be so many; nothing where there can.
std::optional<std::string> describe_lack(const config::Config& config, std::size_t descriptors_max);

}  // namespace referee::tournament
