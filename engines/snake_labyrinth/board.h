#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"

namespace engines::snake_labyrinth {

// The longest side of a board. It bounds the text of a state at about 64 KiB and the cost of
// everything that looks at each cell once.
inline constexpr std::size_t side_max = 256;

namespace cell {
inline constexpr char wall = '#';
inline constexpr char coin = '$';
inline constexpr char mishap = '!';
inline constexpr char drill = 'T';
inline constexpr char exit = '_';
inline constexpr char start = 'o';
inline constexpr char empty = ' ';
}  // namespace cell

enum class Direction : std::uint8_t { north, south, west, east };

inline constexpr std::array all_directions{Direction::north, Direction::south, Direction::west,
                                           Direction::east};

// N, S, O (west) and E.
char letter_of(Direction direction);
// Nothing for any other letter.
std::optional<Direction> direction_of(char letter);
Direction opposite(Direction direction);

// A square's number on its board: row * columns + column.
using Square = std::uint32_t;

// Why rows of text are no board, or why a board is not what was promised.
struct BoardError {
    std::optional<std::size_t> row, column;  // from 0; absent where it is about no one place
    std::string message;                     // with the place in words, where there is one
};

// A labyrinth before anyone walked in it: any number of rows and columns up to side_max, one
// start, at least one exit. A plain value.
class Board {
 public:
    static base::Result<Board, BoardError> from_rows(std::span<const std::string_view> rows);

    std::size_t rows() const { return cells_.size() / columns_; }
    std::size_t columns() const { return columns_; }
    std::size_t size() const { return cells_.size(); }

    // All cells, row after row; the start is an empty cell here.
    const std::string& cells() const { return cells_; }
    char at(Square square) const { return cells_[square]; }
    Square start() const { return start_; }

    Square square(std::size_t row, std::size_t column) const {
        return static_cast<Square>(row * columns_ + column);
    }
    std::size_t row_of(Square square) const { return square / columns_; }
    std::size_t column_of(Square square) const { return square % columns_; }
    bool on_edge(Square square) const;
    // The next square that way; nothing beyond the edge of the board.
    std::optional<Square> neighbour(Square square, Direction direction) const;

    // A row as it is written in a setup, with the start.
    std::string row_text(std::size_t row) const;

 private:
    Board(std::string cells, std::size_t columns, Square start)
        : cells_(std::move(cells)), columns_(columns), start_(start) {}

    std::string cells_;
    std::size_t columns_;
    Square start_;
};

// "row 3, column 9".
std::string place_text(std::size_t row, std::size_t column);

inline constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

// For each square the fewest steps from the start without drilling, or `unreached`. A walk ends
// at an exit, so nothing is reached through one.
std::vector<std::uint32_t> distances_from_start(const Board& board);

}  // namespace engines::snake_labyrinth
