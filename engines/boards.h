#pragma once

#include <optional>
#include <string_view>

namespace engines {

// How a game's board is drawn: the text of engines/GAME/board.js, a JavaScript module that knows no
// rule and only reads states (referee/watch/pages/README.md says what it has). Nothing where
// the game has none, or where there is no such game.
std::optional<std::string_view> board_of(std::string_view game);

}  // namespace engines
