#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/net/lobby/lobby.h"

namespace referee::tournament {

// Games that run at once where nothing else bounds them: memory and descriptors are finite.
inline constexpr std::size_t games_at_once_max = 5000;
// Descriptors that are kept beside those of connections: for the store, the log, the files of
// games, maps and configs that are read, the control sockets with as many orders as they take.
inline constexpr std::size_t descriptors_kept = 256;
// With fewer not even the referee's own files and a few bots can be open.
inline constexpr std::size_t descriptors_least = 128;
// Of a launched bot: its pipes or sockets, its listener with the connections there, its control
// group's files, its shim.
inline constexpr std::size_t descriptors_of_launched_bot = 24;
// Connections that are let in however few descriptors there are.
inline constexpr std::size_t connections_least = 16;

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
// An error says that the process may open fewer than descriptors_least.
base::Result<void, std::string> enough_descriptors(std::size_t descriptors_max);
// What a person should know where there can't be so many; nothing where there can.
std::optional<std::string> describe_lack(const config::Config& config, std::size_t descriptors_max);

}  // namespace referee::tournament
