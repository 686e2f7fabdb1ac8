#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/base/result.h"

namespace engines::superball {

inline constexpr int side_max = 100;            // rows or columns
inline constexpr std::size_t colors_max = 26;   // the lower-case letters
inline constexpr std::int64_t first_value = 2;  // of the first colour; each next is worth one more

// What a game of Superball is played with: the params of a setup.
struct Rules {
    int rows = 8;
    int cols = 10;
    std::uint64_t min_score_size = 5;
    std::string colors = "pbyrg";
    std::uint64_t pace_us = 5'000'000;  // for each 1000 points; 0: no such rule
};

// A colour is its place in Rules::colors.
using Color = std::int8_t;
inline constexpr Color no_piece = -1;

constexpr std::int64_t value_of(Color color) {
    return first_value + color;
}

struct Cell {
    int row = 0;
    int col = 0;
    bool operator==(const Cell&) const = default;
};

// The cells, which of them are goal cells, and the pieces on them. Cells are numbered row by row:
// cell (r, c) is number r * cols + c.
class Board {
 public:
    // An empty board with the goal cells where the game has them.
    // Requires: 1 to side_max rows and columns, 1 to colors_max colours.
    explicit Board(const Rules& rules);

    int rows() const { return rows_; }
    int cols() const { return cols_; }
    int size() const { return rows_ * cols_; }
    int colors() const { return static_cast<int>(letters_.size()); }
    int empty() const { return empty_; }

    bool contains(Cell cell) const {
        return cell.row >= 0 && cell.row < rows_ && cell.col >= 0 && cell.col < cols_;
    }
    int number(Cell cell) const { return cell.row * cols_ + cell.col; }
    Cell cell(int number) const { return {number / cols_, number % cols_}; }

    Color at(int number) const { return pieces_[static_cast<std::size_t>(number)]; }
    bool is_empty(int number) const { return at(number) == no_piece; }
    bool is_goal(int number) const { return goals_[static_cast<std::size_t>(number)]; }

    // Puts a piece, or takes it away with no_piece.
    void put(int number, Color color);
    void swap(int a, int b);
    void mark_goal(int number, bool is_goal) { goals_[static_cast<std::size_t>(number)] = is_goal; }

    // The cells connected to this one, in the four directions, by pieces of its colour; itself
    // first. Requires: a piece on it.
    std::vector<int> group(int number) const;

    // As the game shows a cell: a letter, upper case on a goal cell; '.' empty, '*' an empty goal
    // cell.
    char letter(int number) const;
    // The colour that a letter stands for, in either case.
    std::optional<Color> color_of(char letter) const;

    // Sets a row from its letters, goal cells included. False, with nothing changed, where the
    // row has another length or a character that is none of letter()'s.
    bool set_row(int row, std::string_view letters);

    // All rows, a line each.
    std::string text() const;

 private:
    int rows_;
    int cols_;
    int empty_;
    std::string letters_;  // of the colours
    std::vector<Color> pieces_;
    std::vector<bool> goals_;
};

struct Swap {
    Cell first;
    Cell second;
};
struct Collect {
    Cell goal;
};
using Move = std::variant<Swap, Collect>;

struct BlankMove {};  // nothing but white space
struct BadMove {
    std::string message;      // what was expected
    bool knows_form = false;  // it begins as a move does: SWAP or SCORE
};
using ParsedMove = std::variant<Swap, Collect, BlankMove, BadMove>;

// Reads "SWAP r1 c1 r2 c2" or "SCORE r c". Words are separated by the white space of C's
// isspace(); a number is what %d reads at the start of its word, so "03", "+3" and "3," are 3. A
// number that an int can't hold is refused. Whether the cells exist is not looked at.
ParsedMove parse_move(std::string_view text);

// "SWAP 0 1 7 2", "SCORE 5 0".
std::string to_text(const Move& move);

// The C library's 48-bit generator, as srand48() seeds it and lrand48() draws from it. The game
// deals by it, so that a seed gives the same pieces on every machine.
class Random48 {
 public:
    explicit constexpr Random48(std::uint32_t seed)
        : state_((std::uint64_t{seed} << seed_shift) + seed_tail) {}

    // The next number, from 0 to 2^31 - 1.
    constexpr std::uint32_t draw() {
        state_ = (multiplier * state_ + increment) & state_mask;
        return static_cast<std::uint32_t>(state_ >> discarded_bits);
    }

 private:
    static constexpr std::uint64_t multiplier = 0x5DEECE66D;
    static constexpr std::uint64_t increment = 0xB;
    static constexpr std::uint64_t state_mask = (std::uint64_t{1} << 48U) - 1;
    static constexpr std::uint64_t seed_tail = 0x330E;
    static constexpr unsigned seed_shift = 16;
    static constexpr unsigned discarded_bits = 17;

    std::uint64_t state_;
};

inline constexpr int dealt_after_swap = 5;  // and at the start
inline constexpr int dealt_after_score = 3;

// The game without its clock and its messages: a board, the pieces to come, the score. The same
// rules, seed and moves give the same position everywhere.
class Position {
 public:
    // Deals the first pieces. Requires rules as Board does.
    Position(const Rules& rules, std::uint32_t seed);
    // Goes on from a board, with the generator as it stands. Requires a board of these rules.
    Position(const Rules& rules, Board board, Random48 random);

    const Board& board() const { return board_; }
    std::int64_t score() const { return score_; }
    // Whether a piece had to be placed and there was no empty cell.
    bool full() const { return full_; }

    // Whether the move can be played now; an error says why not, in words for a player.
    base::Result<void, std::string> check(const Move& move) const;
    // Plays it and deals. Requires: not full, and check() finds no fault with it.
    void play(const Move& move);

 private:
    void deal(int pieces);

    std::uint64_t min_score_size_;
    Board board_;
    Random48 random_;
    std::int64_t score_ = 0;
    bool full_ = false;
};

}  // namespace engines::superball
