#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace engines::superball
