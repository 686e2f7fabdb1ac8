#include "engines/registry.h"

#include <algorithm>

#include "protocol/base/assertion.h"

namespace engines {

std::optional<std::string_view> board_of(std::string_view game) {
    const auto games = registered_games();
    const auto found = std::ranges::find(games, game, &RegisteredGame::id);
    if (found == games.end() || found->board.empty()) return std::nullopt;
    return found->board;
}

Registry::Registry(std::span<const GameResources> resources) {
    const Resources none;
    for (const auto& listed : registered_games()) {
        const Resources* own = &none;
        for (const auto& given : resources) {
            if (given.game == listed.id) own = &given.resources;
        }
        games_.push_back(listed.make(*own));
        REFEREE_ASSERT(games_.back()->info().id == listed.id);
    }
}

const Game* Registry::find(std::string_view id) const {
    for (const auto& game : games_) {
        if (game->info().id == id) return game.get();
    }
    return nullptr;
}

}  // namespace engines
