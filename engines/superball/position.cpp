#include "engines/superball/position.h"

#include <utility>

#include "protocol/base/assertion.h"

namespace engines::superball {

namespace {

std::string name(Cell cell) {
    return "row " + std::to_string(cell.row) + ", column " + std::to_string(cell.col);
}

base::Result<void, std::string> check_cell(const Board& board, Cell cell) {
    if (!board.contains(cell)) {
        return base::failure(name(cell) + " is not on the board; rows go from 0 to " +
                             std::to_string(board.rows() - 1) + ", columns from 0 to " +
                             std::to_string(board.cols() - 1));
    }
    if (board.is_empty(board.number(cell)))
        return base::failure(name(cell) + " is empty; a piece is needed there");
    return {};
}

base::Result<void, std::string> check_swap(const Board& board, const Swap& swap) {
    if (auto checked = check_cell(board, swap.first); !checked) return checked;
    if (auto checked = check_cell(board, swap.second); !checked) return checked;
    if (swap.first == swap.second)
        return base::failure(name(swap.first) + " can't be swapped with itself");
    return {};
}

base::Result<void, std::string> check_collect(const Board& board, Cell goal,
                                              std::uint64_t min_score_size) {
    if (auto checked = check_cell(board, goal); !checked) return checked;
    const int number = board.number(goal);
    if (!board.is_goal(number)) return base::failure(name(goal) + " is not a goal cell");
    const auto size = board.group(number).size();
    if (size < min_score_size) {
        return base::failure("the group at " + name(goal) + " has " + std::to_string(size) +
                             " pieces and needs " + std::to_string(min_score_size));
    }
    return {};
}

}  // namespace

Position::Position(const Rules& rules, std::uint32_t seed)
    : Position(rules, Board(rules), Random48(seed)) {
    deal(dealt_after_swap);
}

Position::Position(const Rules& rules, Board board, Random48 random)
    : min_score_size_(rules.min_score_size), board_(std::move(board)), random_(random) {}

base::Result<void, std::string> Position::check(const Move& move) const {
    if (const auto* swap = std::get_if<Swap>(&move)) return check_swap(board_, *swap);
    return check_collect(board_, std::get<Collect>(move).goal, min_score_size_);
}

void Position::play(const Move& move) {
    REFEREE_ASSERT(!full_);
    if (const auto* swap = std::get_if<Swap>(&move)) {
        board_.swap(board_.number(swap->first), board_.number(swap->second));
        deal(dealt_after_swap);
        return;
    }
    const int goal = board_.number(std::get<Collect>(move).goal);
    const std::int64_t value = value_of(board_.at(goal));
    const auto group = board_.group(goal);
    score_ += value * static_cast<std::int64_t>(group.size());
    for (const int cell : group) board_.put(cell, no_piece);
    deal(dealt_after_score);
}

// The cell is drawn until it is an empty one, only then its colour: the original's order, on which
// every later piece depends.
void Position::deal(int pieces) {
    const auto size = static_cast<std::uint32_t>(board_.size());
    const auto colors = static_cast<std::uint32_t>(board_.colors());
    for (int i = 0; i < pieces; ++i) {
        if (board_.empty() == 0) {
            full_ = true;
            return;
        }
        int cell = 0;
        do {
            cell = static_cast<int>(random_.draw() % size);
        } while (!board_.is_empty(cell));
        board_.put(cell, static_cast<Color>(random_.draw() % colors));
    }
}

bool can_collect(const Board& board, int number, std::uint64_t min_score_size) {
    return board.is_goal(number) && !board.is_empty(number) &&
           board.group(number).size() >= min_score_size;
}

}  // namespace engines::superball
