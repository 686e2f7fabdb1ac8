#include "engines/superball/board.h"

#include <algorithm>
#include <array>
#include <utility>

#include "protocol/base/assertion.h"

namespace engines::superball {
namespace {

constexpr int goal_margin = 2;   // rows above and below the goal cells
constexpr int goal_columns = 2;  // on each side
constexpr char empty_letter = '.';
constexpr char empty_goal_letter = '*';

constexpr char upper(char letter) {
    return static_cast<char>(letter - 'a' + 'A');
}
constexpr char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// The original counts the second and the last but one column from the row's ends without looking
// whether they are in the row: with a single column they are the cells below and above.
bool is_goal_of_game(int rows, int cols, Cell cell) {
    if (rows <= 2 * goal_margin) return false;
    const int margin = cols == 1 ? goal_margin - 1 : goal_margin;
    if (cell.row < margin || cell.row >= rows - margin) return false;
    return cell.col < goal_columns || cell.col >= cols - goal_columns;
}

}  // namespace

Board::Board(const Rules& rules)
    : rows_(rules.rows),
      cols_(rules.cols),
      empty_(rules.rows * rules.cols),
      letters_(rules.colors) {
    REFEREE_ASSERT(rows_ >= 1 && rows_ <= side_max && cols_ >= 1 && cols_ <= side_max);
    REFEREE_ASSERT(!letters_.empty() && letters_.size() <= colors_max);
    pieces_.assign(static_cast<std::size_t>(size()), no_piece);
    goals_.assign(static_cast<std::size_t>(size()), false);
    for (int i = 0; i < size(); ++i) mark_goal(i, is_goal_of_game(rows_, cols_, cell(i)));
}

void Board::put(int number, Color color) {
    auto& piece = pieces_[static_cast<std::size_t>(number)];
    empty_ += (piece != no_piece ? 1 : 0) - (color != no_piece ? 1 : 0);
    piece = color;
}

void Board::swap(int a, int b) {
    std::swap(pieces_[static_cast<std::size_t>(a)], pieces_[static_cast<std::size_t>(b)]);
}

std::vector<int> Board::group(int number) const {
    const Color color = at(number);
    REFEREE_ASSERT(color != no_piece);
    std::vector<bool> seen(pieces_.size(), false);
    std::vector<int> found{number};
    seen[static_cast<std::size_t>(number)] = true;
    const auto visit = [&](int neighbour) {
        if (at(neighbour) != color || seen[static_cast<std::size_t>(neighbour)]) return;
        seen[static_cast<std::size_t>(neighbour)] = true;
        found.push_back(neighbour);
    };
    for (std::size_t next = 0; next < found.size(); ++next) {
        const int i = found[next];
        const int col = i % cols_;
        if (i >= cols_) visit(i - cols_);
        if (i + cols_ < size()) visit(i + cols_);
        if (col > 0) visit(i - 1);
        if (col + 1 < cols_) visit(i + 1);
    }
    return found;
}

char Board::letter(int number) const {
    const Color color = at(number);
    if (color == no_piece) return is_goal(number) ? empty_goal_letter : empty_letter;
    const char letter = letters_[static_cast<std::size_t>(color)];
    return is_goal(number) ? upper(letter) : letter;
}

std::optional<Color> Board::color_of(char letter) const {
    const auto place = letters_.find(lower(letter));
    if (place == std::string::npos) return std::nullopt;
    return static_cast<Color>(place);
}

bool Board::set_row(int row, std::string_view letters) {
    if (static_cast<int>(letters.size()) != cols_) return false;
    const auto known = [&](char letter) {
        return letter == empty_letter || letter == empty_goal_letter ||
               color_of(letter).has_value();
    };
    if (!std::all_of(letters.begin(), letters.end(), known)) return false;
    for (int col = 0; col < cols_; ++col) {
        const char letter = letters[static_cast<std::size_t>(col)];
        const int i = number({row, col});
        put(i, color_of(letter).value_or(no_piece));
        mark_goal(i, letter == empty_goal_letter || (letter >= 'A' && letter <= 'Z'));
    }
    return true;
}

std::string Board::text() const {
    std::string text;
    text.reserve(static_cast<std::size_t>(rows_ * (cols_ + 1)));
    for (int i = 0; i < size(); ++i) {
        text += letter(i);
        if (i % cols_ == cols_ - 1) text += '\n';
    }
    return text;
}

}  // namespace engines::superball
