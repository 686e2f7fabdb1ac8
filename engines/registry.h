#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"
#include "protocol/base/assertion.h"

namespace engines {

// A game of REFEREE_GAMES in engines/CMakeLists.txt. `board` says how its board is drawn: the text
// of engines/GAME/board.js, a JavaScript module that knows no rule and only reads states
// (referee/watch/pages/README.md says what it has). Empty where the game has none.
struct RegisteredGame {
    std::string_view id;
    std::unique_ptr<Game> (*make)(const Resources&);
    std::string_view board;
};

// In the order of that list, of which the build makes this.
std::span<const RegisteredGame> registered_games();

// Nothing where the game has no board, or where there is no such game.
inline std::optional<std::string_view> board_of(std::string_view game) {
    const auto games = registered_games();
    const auto found = std::ranges::find(games, game, &RegisteredGame::id);
    if (found == games.end() || found->board.empty()) return std::nullopt;
    return found->board;
}

// The games that this program knows, in a fixed order.
class Registry {
 public:
    // `resources` go to the game of that id; games that take none ignore them.
    struct GameResources {
        std::string game;
        Resources resources;
    };
    explicit Registry(std::span<const GameResources> resources = {}) {
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

    // Absent (null) where there is no such game.
    const Game* find(std::string_view id) const {
        for (const auto& game : games_) {
            if (game->info().id == id) return game.get();
        }
        return nullptr;
    }
    std::span<const std::unique_ptr<Game>> games() const { return games_; }

 private:
    std::vector<std::unique_ptr<Game>> games_;
};

}  // namespace engines
