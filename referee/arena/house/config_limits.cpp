#include "referee/arena/house/config_limits.h"

#include <algorithm>
#include <set>
#include <thread>

#include "referee/limits.h"

namespace referee::house {

std::size_t games_at_once(const config::Config& config) {
    if (config.games_at_once > 0) return config.games_at_once;
    for (const auto& bot : config.bots) {
        if (bot.launched()) return std::max(1U, std::thread::hardware_concurrency());
    }
    return limits::games_at_once_max;
}

std::size_t thinking_cores(const config::Config& config) {
    return config.cores > 0 ? config.cores : std::max(1U, std::thread::hardware_concurrency());
}

std::vector<std::string> games_of(const config::Config& config) {
    std::set<std::string> games;
    for (const auto& tournament : config.tournaments) games.insert(tournament.game);
    return {games.begin(), games.end()};
}

lobby::LobbyLimits lobby_limits_of(const config::Config& config) {
    lobby::LobbyLimits limits;
    limits.connections_max = config.connections_max;
    limits.connections_per_address_max = config.connections_per_address_max;
    limits.network = config.network;
    return limits;
}

}  // namespace referee::house
