#include "engines/snake_labyrinth/board.h"

#include <cstdio>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"

namespace engines::snake_labyrinth {
namespace {

constexpr std::string_view known_cells = "#$!To_ ";
constexpr std::string_view letters = "NSOE";  // in the order of Direction
constexpr unsigned char first_printable = 0x20;
constexpr unsigned char last_printable = 0x7E;

// The text comes from anywhere: what is not plain ASCII is told by its number.
std::string name_of(char found) {
    const auto code = static_cast<unsigned char>(found);
    if (code >= first_printable && code <= last_printable) return std::string("'") + found + "'";
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "the byte 0x%02X", code);
    return text.data();
}

auto fail_at(std::size_t row, std::size_t column, std::string_view message) {
    return base::failure(
        BoardError{row, column, place_text(row, column) + ": " + std::string(message)});
}

base::Result<void, BoardError> check_shape(std::span<const std::string_view> rows) {
    if (rows.empty())
        return base::failure(BoardError{{}, {}, "a board has at least one row, and here is none"});
    if (rows.size() > side_max)
        return base::failure(
            BoardError{side_max, 0,
                       fmt::format("row {0}: a board has at most {0} rows, and here are {1}",
                                   side_max, rows.size())});
    if (rows.front().empty())
        return base::failure(BoardError{0, 0, "row 0: is empty; a row has at least one cell"});
    if (rows.front().size() > side_max)
        return fail_at(0, side_max,
                       fmt::format("a row has at most {} cells, and here are {}", side_max,
                                   rows.front().size()));
    return {};
}

base::Result<void, BoardError> check_length(std::span<const std::string_view> rows,
                                            std::size_t row) {
    const auto expected = rows.front().size();
    const auto found = rows[row].size();
    if (found == expected) return {};
    return fail_at(row, std::min(found, expected),
                   fmt::format("all rows are equally long; row 0 has {} cells and this one {}",
                               expected, found));
}

constexpr std::int64_t never = -1;

}  // namespace

char letter_of(Direction direction) {
    return letters[static_cast<std::size_t>(direction)];
}

std::optional<Direction> direction_of(char letter) {
    const auto at = letters.find(letter);
    if (at == std::string_view::npos) return std::nullopt;
    return static_cast<Direction>(at);
}

// Opposites stand beside one another.
Direction opposite(Direction direction) {
    return static_cast<Direction>(static_cast<unsigned>(direction) ^ 1U);
}

std::string place_text(std::size_t row, std::size_t column) {
    return fmt::format("row {}, column {}", row, column);
}

base::Result<Board, BoardError> Board::from_rows(std::span<const std::string_view> rows) {
    if (auto shape = check_shape(rows); !shape) return base::failure(std::move(shape.error()));
    const auto columns = rows.front().size();
    std::string cells;
    cells.reserve(rows.size() * columns);
    std::optional<Square> start;
    bool has_exit = false;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        // Cells first, so that a letter of several bytes is named and not counted.
        for (std::size_t column = 0; column < std::min(columns, rows[row].size()); ++column) {
            const char found = rows[row][column];
            if (known_cells.find(found) == std::string_view::npos) {
                return fail_at(row, column,
                               name_of(found) +
                                   " is no cell; cells are # wall, $ coin, ! mishap, T "
                                   "drill, _ exit, o start and space");
            }
            has_exit = has_exit || found == cell::exit;
            if (found == cell::start) {
                if (start) {
                    return fail_at(row, column,
                                   "a second start 'o'; the first is at " +
                                       place_text(*start / columns, *start % columns));
                }
                start = static_cast<Square>(cells.size());
            }
            cells += found == cell::start ? cell::empty : found;
        }
        if (auto length = check_length(rows, row); !length)
            return base::failure(std::move(length.error()));
    }
    if (!start)
        return base::failure(
            BoardError{{}, {}, "a board has exactly one start 'o', and here is none"});
    if (!has_exit)
        return base::failure(
            BoardError{{}, {}, "a board has at least one exit '_', and here is none"});
    return Board(std::move(cells), columns, *start);
}

bool Board::on_edge(Square square) const {
    const auto row = row_of(square);
    const auto column = column_of(square);
    return row == 0 || column == 0 || row + 1 == rows() || column + 1 == columns();
}

std::optional<Square> Board::neighbour(Square square, Direction direction) const {
    const auto wide = static_cast<Square>(columns_);
    switch (direction) {
        case Direction::north:
            if (square < wide) return std::nullopt;
            return square - wide;
        case Direction::south:
            if (square + wide >= cells_.size()) return std::nullopt;
            return square + wide;
        case Direction::west:
            if (square % wide == 0) return std::nullopt;
            return square - 1;
        case Direction::east:
            if (square % wide == wide - 1) return std::nullopt;
            return square + 1;
    }
    return std::nullopt;
}

std::string Board::row_text(std::size_t row) const {
    auto text = cells_.substr(row * columns_, columns_);
    if (row_of(start_) == row) text[column_of(start_)] = cell::start;
    return text;
}

std::vector<std::uint32_t> distances_from_start(const Board& board) {
    std::vector<std::uint32_t> distances(board.size(), unreached);
    std::vector<Square> queue{board.start()};
    queue.reserve(board.size());
    distances[board.start()] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next) {
        const auto here = queue[next];
        if (board.at(here) == cell::exit) continue;
        for (const auto direction : all_directions) {
            const auto there = board.neighbour(here, direction);
            if (!there || board.at(*there) == cell::wall) continue;
            if (distances[*there] != unreached) continue;
            distances[*there] = distances[here] + 1;
            queue.push_back(*there);
        }
    }
    return distances;
}

Walk::Walk(const Board& board, bool has_body) : Walk(board, has_body, WalkState{}) {}

Walk::Walk(const Board& board, bool has_body, const WalkState& state)
    : board_(board),
      has_body_(has_body),
      cells_(board.cells()),
      head_(board.start()),
      body_length_(state.body.size()),
      visits_(board.size(), never),
      path_begin_(state.body.size()),
      coins_(state.coins),
      drill_uses_(state.drill_uses),
      steps_(state.steps) {
    REFEREE_ASSERT(has_body || state.body.empty());
    auto square = head_;
    visits_[square] = static_cast<std::int64_t>(body_length_);
    path_.resize(body_length_);
    for (auto i = body_length_; i > 0; --i) {
        const auto direction = state.body[i - 1];
        path_[i - 1] = letter_of(direction);
        const auto behind = board_.neighbour(square, opposite(direction));
        REFEREE_ASSERT(behind.has_value());
        square = *behind;
        visits_[square] = static_cast<std::int64_t>(i - 1);
    }
}

Walk::Step Walk::step(Direction direction) {
    REFEREE_ASSERT(!has_left_);
    const auto ahead = board_.neighbour(head_, direction);
    if (!ahead) return Step::edge;
    const char object = cells_[*ahead];
    if (object == cell::wall && drill_uses_ == 0) return Step::wall;
    ++steps_;
    path_ += letter_of(direction);
    if (object == cell::exit) {
        move_to(*ahead);
        has_left_ = true;
        return Step::left;
    }
    cells_[*ahead] = cell::empty;
    if (object == cell::coin && has_body_) ++body_length_;  // the tail stays where it was
    move_to(*ahead);
    meet(object);
    return Step::moved;
}

void Walk::move_to(Square square) {
    const auto last_visit = visits_[square];
    head_ = square;
    visits_[square] = static_cast<std::int64_t>(path_.size());
    cross_body(last_visit);
}

// The segments lie on the squares of the last visits now - 1, now - 2, ..., now - length.
void Walk::cross_body(std::int64_t last_visit) {
    if (last_visit == never) return;
    const auto segment = static_cast<std::int64_t>(path_.size()) - 1 - last_visit;  // from 0
    if (segment >= static_cast<std::int64_t>(body_length_)) return;
    body_length_ = static_cast<std::size_t>(segment);
    coins_ = segment;
}

void Walk::meet(char object) {
    switch (object) {
        case cell::coin:
            ++coins_;
            return;
        case cell::mishap:
            coins_ /= 2;
            body_length_ /= 2;
            return;
        case cell::drill:
            drill_uses_ += uses_a_drill;
            return;
        case cell::wall:
            --drill_uses_;
            ++drilled_;
            return;
        default:
            return;
    }
}

std::vector<Square> Walk::body() const {
    return body(body_length_);
}

std::vector<Square> Walk::body(std::size_t count) const {
    REFEREE_ASSERT(count <= body_length_);
    std::vector<Square> squares;
    squares.reserve(count);
    auto square = head_;
    for (std::size_t i = 0; i < count; ++i) {
        const auto direction = direction_of(path_[path_.size() - 1 - i]);
        square = *board_.neighbour(square, opposite(*direction));
        squares.push_back(square);
    }
    return squares;
}

}  // namespace engines::snake_labyrinth
