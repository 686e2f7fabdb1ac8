#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"

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
std::optional<std::string_view> board_of(std::string_view game);

// The games that this program knows, in a fixed order.
class Registry {
 public:
    // `resources` go to the game of that id; games that take none ignore them.
    struct GameResources {
        std::string game;
        Resources resources;
    };
    explicit Registry(std::span<const GameResources> resources = {});

    // Absent (null) where there is no such game.
    const Game* find(std::string_view id) const;
    std::span<const std::unique_ptr<Game>> games() const { return games_; }

 private:
    std::vector<std::unique_ptr<Game>> games_;
};

}  // namespace engines
