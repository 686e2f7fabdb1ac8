#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engines/superball/position.h"

namespace bots::superball {

using engines::superball::Board;
using engines::superball::Color;

// Pieces of one colour, connected in the four directions.
struct Group {
    Color color = engines::superball::no_piece;
    int size = 0;
    int goal_cell = -1;     // the first of its cells that is a goal cell, -1 where none is
    int goal_distance = 0;  // steps from its nearest cell to a goal cell; 0 where it has one
};

// All groups of a board, in the order of their first cells.
class Grouping {
 public:
    explicit Grouping(const Board& board);
    // `distances` are those of distances_to_goal(), which no move changes.
    Grouping(const Board& board, const std::vector<int>& distances);

    const std::vector<Group>& groups() const { return groups_; }
    // The number of the group that the cell belongs to; -1 where it is empty.
    int group_of(int cell) const { return labels_[static_cast<std::size_t>(cell)]; }

 private:
    std::vector<Group> groups_;
    std::vector<int> labels_;
};

// For each cell the steps to the nearest goal cell; rows + cols everywhere where there is none.
std::vector<int> distances_to_goal(const Board& board);

// The cells beside this one, up to four.
class Neighbours {
 public:
    Neighbours(const Board& board, int cell) {
        const int col = cell % board.cols();
        if (cell >= board.cols()) add(cell - board.cols());
        if (cell + board.cols() < board.size()) add(cell + board.cols());
        if (col > 0) add(cell - 1);
        if (col + 1 < board.cols()) add(cell + 1);
    }
    const int* begin() const { return cells_; }
    const int* end() const { return cells_ + count_; }

 private:
    void add(int cell) { cells_[count_++] = cell; }

    int cells_[4] = {};
    int count_ = 0;
};

// How good it is to have such a group.
using GroupRating = std::function<double(const Group&)>;

// A board is as good as its groups together.
double rate(const Board& board, const GroupRating& rating);

// The swap after which the board rates best. Every pair of pieces is weighed by what the two new
// places would do for the groups around them; the most promising pairs are then tried out.
// Nothing where there are no two pieces of different colours.
std::optional<engines::superball::Swap> best_swap(const Board& board, const GroupRating& rating);

}  // namespace bots::superball
