#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engines/snake_labyrinth/board.h"

namespace engines::snake_labyrinth {

// The four levels of the course, from the narrowest promise to none.
enum class Level : std::uint8_t { challenge1, challenge2, challenge3, final };

inline constexpr std::array all_levels{Level::challenge1, Level::challenge2, Level::challenge3,
                                       Level::final};

std::string_view name_of(Level level);
std::optional<Level> level_named(std::string_view name);

// Whether the snake has a body at this level; without one coins are a plain counter.
bool plays_with_body(Level level);

// Whether a board keeps its level's promise; an error is the first place where it doesn't.
base::Result<void, BoardError> check_promise(const Board& board, Level level);

// The narrowest level whose promise the board keeps. challenge3 promises what challenge2 does,
// so it is never the answer.
Level narrowest_level(const Board& board);

}  // namespace engines::snake_labyrinth
