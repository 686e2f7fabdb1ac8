#include "referee/tournament/config_limits.h"

#include <algorithm>
#include <set>

#include "protocol/base/text.h"
#include "referee/net/loop/process_resources.h"

namespace referee::tournament {
namespace {

// What is open beside the connections of bots that dial in.
std::size_t descriptors_beside(const config::Config& config) {
    const auto launched = std::ranges::count_if(config.bots, &config::BotConfig::launched);
    const auto browsers = config.web ? config.web->connections : 0;
    return descriptors_kept + browsers +
           static_cast<std::size_t>(launched) * descriptors_of_launched_bot;
}

}  // namespace

std::size_t games_at_once(const config::Config& config) {
    return config.games_at_once > 0 ? config.games_at_once : games_at_once_max;
}

std::size_t launched_games_at_once(const config::Config& config) {
    return config.games_at_once > 0 ? config.games_at_once : thinking_cores(config);
}

std::size_t thinking_cores(const config::Config& config) {
    return config.cores > 0 ? config.cores : loop::usable_cores();
}

std::vector<std::string> games_of(const config::Config& config) {
    std::set<std::string> games;
    for (const auto& tournament : config.tournaments) games.insert(tournament.game);
    return {games.begin(), games.end()};
}

std::size_t descriptors_needed(const config::Config& config) {
    return config.connections.bots_max + config.connections.strangers_max +
           descriptors_beside(config);
}

lobby::LobbyLimits lobby_limits_of(const config::Config& config, std::size_t descriptors_max) {
    lobby::LobbyLimits limits;
    limits.connections = config.connections;
    limits.network = config.network;
    if (descriptors_needed(config) <= descriptors_max) return limits;
    const auto beside = descriptors_beside(config);
    // At least some places, and then descriptors may run out: accepting pauses until there are
    // some again.
    const auto places =
        descriptors_max > beside + connections_least ? descriptors_max - beside : connections_least;
    auto& open = limits.connections;
    open.strangers_max = std::min(open.strangers_max, places / 2);
    open.strangers_per_address_max = std::min(open.strangers_per_address_max, open.strangers_max);
    open.bots_max = std::min(open.bots_max, places - open.strangers_max);
    return limits;
}

base::Result<void, std::string> enough_descriptors(std::size_t descriptors_max) {
    if (descriptors_max >= descriptors_least) return {};
    return base::failure(fmt::format(
        "this process may open {} files, and at least {} are needed; raise the limit (`ulimit -n`, "
        "or LimitNOFILE= of a unit)",
        descriptors_max, descriptors_least));
}

std::optional<std::string> describe_lack(const config::Config& config,
                                         std::size_t descriptors_max) {
    const auto needed = descriptors_needed(config);
    if (needed <= descriptors_max) return std::nullopt;
    const auto limits = lobby_limits_of(config, descriptors_max);
    return fmt::format(
        "\"connections\" allows {} bots and {} connections that have not logged in, for which {} "
        "descriptors are needed, and this process may open {}: there will be places for {} and {}; "
        "raise the limit (`ulimit -Hn`, or LimitNOFILE= of a unit), or allow fewer",
        config.connections.bots_max, config.connections.strangers_max, needed, descriptors_max,
        limits.connections.bots_max, limits.connections.strangers_max);
}

}  // namespace referee::tournament
