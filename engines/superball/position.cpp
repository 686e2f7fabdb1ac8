#include "engines/superball/position.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"

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

constexpr std::string_view white_space = " \t\n\v\f\r";
constexpr std::size_t swap_numbers = 4;
constexpr std::size_t score_numbers = 2;
constexpr std::size_t words_max = 1 + swap_numbers;
constexpr std::size_t quoted_max = 20;  // characters of a word that a message repeats

struct Words {
    std::array<std::string_view, words_max> list;
    std::size_t count = 0;  // of all words, also beyond those kept
};

Words split(std::string_view text) {
    Words words;
    for (;;) {
        const auto begin = text.find_first_not_of(white_space);
        if (begin == std::string_view::npos) return words;
        text.remove_prefix(begin);
        const auto end = std::min(text.find_first_of(white_space), text.size());
        if (words.count < words_max) words.list[words.count] = text.substr(0, end);
        ++words.count;
        text.remove_prefix(end);
    }
}

std::optional<int> leading_number(std::string_view word) {
    if (word.starts_with('+')) {
        word.remove_prefix(1);
        if (word.starts_with('-')) return std::nullopt;
    }
    int number = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
    if (read.ec != std::errc()) return std::nullopt;
    return number;
}

std::string quote(std::string_view word) {
    const auto printable = [](char c) { return c > ' ' && c <= '~'; };
    std::string quoted = "'";
    for (const char c : word.substr(0, quoted_max)) quoted += printable(c) ? c : '.';
    return quoted + (word.size() > quoted_max ? "...'" : "'");
}

// The numbers behind the first word, or what is wrong with them.
template <std::size_t count>
base::Result<std::array<int, count>, BadMove> numbers(const Words& words, std::string_view form) {
    if (words.count != 1 + count) {
        return base::failure(
            BadMove{fmt::format("{} takes {} numbers, and {} words follow it; expected {}",
                                words.list[0], count, words.count - 1, form),
                    true});
    }
    std::array<int, count> found{};
    for (std::size_t i = 0; i < count; ++i) {
        const auto number = leading_number(words.list[1 + i]);
        if (!number) {
            return base::failure(
                BadMove{quote(words.list[1 + i]) +
                            " does not begin with the number of a row or column; expected " +
                            std::string(form),
                        true});
        }
        found[i] = *number;
    }
    return found;
}

std::string name(Cell cell) {
    return fmt::format("row {}, column {}", cell.row, cell.col);
}

base::Result<void, std::string> check_cell(const Board& board, Cell cell) {
    if (!board.contains(cell))
        return base::failure(
            fmt::format("{} is not on the board; rows go from 0 to {}, columns from 0 to {}",
                        name(cell), board.rows() - 1, board.cols() - 1));
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
    if (size < min_score_size)
        return base::failure(fmt::format("the group at {} has {} pieces and needs {}", name(goal),
                                         size, min_score_size));
    return {};
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

ParsedMove parse_move(std::string_view text) {
    const Words words = split(text);
    if (words.count == 0) return BlankMove{};
    if (words.list[0] == "SWAP") {
        const auto read =
            numbers<swap_numbers>(words, "'SWAP r1 c1 r2 c2', such as 'SWAP 0 1 7 2'");
        if (!read) return read.error();
        const auto& n = *read;
        return Swap{{n[0], n[1]}, {n[2], n[3]}};
    }
    if (words.list[0] == "SCORE") {
        const auto read = numbers<score_numbers>(words, "'SCORE r c', such as 'SCORE 5 0'");
        if (!read) return read.error();
        const auto& n = *read;
        return Collect{{n[0], n[1]}};
    }
    return BadMove{"a move begins with SWAP or SCORE, in capitals, not with " +
                   quote(words.list[0])};
}

std::string to_text(const Move& move) {
    const auto cell = [](Cell at) { return fmt::format(" {} {}", at.row, at.col); };
    if (const auto* swap = std::get_if<Swap>(&move))
        return "SWAP" + cell(swap->first) + cell(swap->second);
    return "SCORE" + cell(std::get<Collect>(move).goal);
}

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

}  // namespace engines::superball
