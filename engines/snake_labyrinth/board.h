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

inline constexpr std::int64_t points_at_start = 1000;
inline constexpr std::int64_t points_a_coin = 10;
inline constexpr std::int64_t uses_a_drill = 3;

// A snake on its way through a labyrinth: the rules of a step, and nothing of turns, limits or
// JSON. Where there is a body, it always has as many segments as there are coins.
// A step costs constant time, however long the snake is.
class Walk {
 public:
    enum class Step : std::uint8_t {
        moved,
        left,  // moved onto an exit: the walk is over
        wall,  // illegal: a wall ahead and no drill use left
        edge,  // illegal: the edge of the board ahead
    };

    Walk(const Board& board, bool has_body);

    // A walk already under way: the snake's head stands on the board's start. The body's segments
    // are given by the directions that lead from the tail to the head, one for each segment.
    // Requires: they stay on the board, and without a body there are none.
    struct WalkState {
        std::vector<Direction> body;
        std::int64_t coins = 0;
        std::int64_t drill_uses = 0;
        std::int64_t steps = 0;
    };
    Walk(const Board& board, bool has_body, const WalkState& state);

    // One step; an illegal one changes nothing. Requires: not over.
    Step step(Direction direction);
    // Charges a step in which the snake stays where it is. Requires: not over.
    void charge_step() { ++steps_; }

    // What is left on the board: walls, exits, objects; the start is an empty cell.
    const std::string& cells() const { return cells_; }
    const Board& board() const { return board_; }
    Square head() const { return head_; }
    std::size_t body_length() const { return body_length_; }
    bool has_body() const { return has_body_; }
    // From the segment behind the head to the tail.
    std::vector<Square> body() const;
    // The first `count` segments, in the same order. Requires: there are so many.
    std::vector<Square> body(std::size_t count) const;

    std::int64_t coins() const { return coins_; }
    std::int64_t drill_uses() const { return drill_uses_; }
    std::int64_t drilled() const { return drilled_; }
    std::int64_t steps() const { return steps_; }
    std::int64_t score() const { return points_at_start + points_a_coin * coins_ - steps_; }
    bool has_left() const { return has_left_; }
    // The letters of all steps that were made, illegal ones left out.
    std::string_view path() const { return std::string_view(path_).substr(path_begin_); }

 private:
    void move_to(Square square);
    void meet(char object);
    void cross_body(std::int64_t last_visit);

    Board board_;
    bool has_body_;
    std::string cells_;
    Square head_;
    // The body lies on the squares that the head was on last, so its length and the path tell all
    // of it. `visits_` holds for each square how many letters of path_ were made when the head was
    // last on it, or `never`: whether a square is under the body is then one comparison.
    std::size_t body_length_ = 0;
    std::vector<std::int64_t> visits_;
    std::string path_;
    std::size_t path_begin_ = 0;  // letters before it only lay out a given body
    std::int64_t coins_ = 0;
    std::int64_t drill_uses_ = 0;
    std::int64_t drilled_ = 0;
    std::int64_t steps_ = 0;
    bool has_left_ = false;
};

}  // namespace engines::snake_labyrinth
