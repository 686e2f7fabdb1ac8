#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"
#include "engines/snake_labyrinth/board.h"
#include "protocol/base/result.h"
#include "protocol/json/reader.h"

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

// A labyrinth as it is kept in a file. Three forms of text hold one:
// - plain: a line with the columns, a line with the rows, then the rows themselves;
// - rows alone, where the first one has a wall, a start or an exit in it: blank lines around them
//   don't count;
// - JSON: {"level": "challenge3", "board": ["...", ...]}, where `level` may be left out.
struct Maze {
    Board board;
    std::optional<Level> level;  // what the file says; only JSON can say it

    // The level to play it at: what the file says, else the narrowest that the board keeps.
    Level play_level() const { return level ? *level : narrowest_level(board); }
};

// Any form. A board that breaks the level it claims is an error.
base::Result<Maze, MapError> read_maze(std::string_view text);

// The plain form; the JSON form where a level is to be told.
std::string write_maze(const Board& board, std::optional<Level> level = std::nullopt);

// A board from an array of strings; what is wrong is noted, of a row or of the whole.
std::optional<Board> read_board(const json::Placed& rows);
void write_board(json::Writer& writer, const Board& board);

// A level by its name; nothing, and a mistake, where it is none.
std::optional<Level> read_level(const json::Placed& name);

// ---- maze_collection.cpp ------------------------------------------------------------------------

// The mazes that ship with the game: the files of mazes/, in the order of CMakeLists.txt.
std::span<const ShippedMap> shipped_mazes();

// Goes up by one whenever a shipped maze, its name or the order changes.
inline constexpr std::string_view mazes_version = "1";

// The shipped mazes and an instructor's own, as the text of maze files.
class MazeCollection final : public MapCollection {
 public:
    explicit MazeCollection(const Resources& resources)
        : MapCollection(resources, shipped_mazes(), mazes_version) {}

    std::string picture(std::string_view text) const override;
    base::Result<std::vector<MapFact>, MapError> examine(std::string_view text) const override;
    // A maze of a level ("challenge1" to "final"), the same on every machine. An exit can always be
    // reached without drilling, and the level's promise is kept. Sides go from 5 to side_max; where
    // absent, they are drawn.
    base::Result<std::string, MapError> generate(const GenerateRequest& request) const override;
    std::string params_for_map(std::string_view name) const override;
    std::string params_for_text(std::string_view text) const override;
};

}  // namespace engines::snake_labyrinth
