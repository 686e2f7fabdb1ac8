#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engines/snake_labyrinth/snake_labyrinth.h"

namespace tests {

// The game without mazes of anybody's own.
inline const auto snake_game = engines::snake_labyrinth::make_game({});

// Requires: they are a board.
inline engines::snake_labyrinth::Board board_of(const std::vector<std::string>& rows) {
    const std::vector<std::string_view> views(rows.begin(), rows.end());
    return engines::snake_labyrinth::Board::from_rows(views).value();
}

}  // namespace tests
