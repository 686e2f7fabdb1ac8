// How a game being played writes its state, and what a turn changed in it.

#include <algorithm>

#include "engines/snake_labyrinth/state.h"

namespace engines::snake_labyrinth {
namespace {

// Text of a row in board_text_: two quotes and a comma around the cells.
constexpr std::size_t row_frame_bytes = 3;
// About how long the operations of a patch are, to choose between changing the body and telling
// it anew.
constexpr std::size_t operation_bytes = 34;
constexpr std::size_t square_bytes = 8;

void begin_operation(json::Writer& writer, std::string_view operation, std::string_view path) {
    writer.begin_object().member("op", operation).member("path", path);
}

}  // namespace

SnakeState::Figures SnakeState::figures() const {
    return {walk_.head(),  walk_.coins(), walk_.drill_uses(),
            walk_.steps(), walk_.score(), walk_.has_left()};
}

// [ then a row of cells in quotes and a comma, again and again.
std::size_t SnakeState::row_offset(std::size_t row) const {
    return 1 + row * (walk_.board().columns() + row_frame_bytes);
}

std::string_view SnakeState::row_text(std::size_t row) const {
    return std::string_view(board_text_).substr(row_offset(row) + 1, walk_.board().columns());
}

void SnakeState::show_change(Square square) {
    const auto& board = walk_.board();
    const auto row = board.row_of(square);
    auto& shown = board_text_[row_offset(row) + 1 + board.column_of(square)];
    const char now = walk_.cells()[square];
    if (shown == now) return;
    shown = now;
    if (std::find(changed_rows_.begin(), changed_rows_.end(), row) == changed_rows_.end()) {
        changed_rows_.push_back(row);
    }
}

void SnakeState::write_square(json::Writer& writer, Square square) const {
    const auto& board = walk_.board();
    writer.begin_array();
    writer.integer(static_cast<std::int64_t>(board.row_of(square)));
    writer.integer(static_cast<std::int64_t>(board.column_of(square)));
    writer.end_array();
}

void SnakeState::write_squares(json::Writer& writer, const std::vector<Square>& squares) const {
    writer.begin_array();
    for (const auto square : squares) write_square(writer, square);
    writer.end_array();
}

void SnakeState::write_state(json::Writer& writer) const {
    writer.begin_object();
    writer.key("board").raw(board_text_);
    writer.key("head");
    write_square(writer, walk_.head());
    writer.key("body");
    write_squares(writer, walk_.body());
    writer.member("coins", walk_.coins());
    writer.member("drill", walk_.drill_uses());
    writer.member("steps", walk_.steps());
    writer.member("score", walk_.score());
    writer.member("finished", walk_.has_left());
    writer.end_object();
}

bool SnakeState::write_delta(json::Writer& writer) const {
    writer.begin_array();
    for (const auto row : changed_rows_) {
        begin_operation(writer, "replace", "/board/" + std::to_string(row));
        writer.member("value", row_text(row)).end_object();
    }
    const auto now = figures();
    if (now.head != before_.head) {
        begin_operation(writer, "replace", "/head");
        writer.key("value");
        write_square(writer, now.head);
        writer.end_object();
    }
    write_body_delta(writer);
    const auto figure = [&](std::string_view path, std::int64_t before, std::int64_t after) {
        if (before == after) return;
        begin_operation(writer, "replace", path);
        writer.member("value", after).end_object();
    };
    figure("/coins", before_.coins, now.coins);
    figure("/drill", before_.drill, now.drill);
    figure("/steps", before_.steps, now.steps);
    figure("/score", before_.score, now.score);
    if (now.finished != before_.finished) {
        begin_operation(writer, "replace", "/finished");
        writer.member("value", now.finished).end_object();
    }
    writer.end_array();
    return true;
}

// Each move puts a segment in front and takes some from the end, so the new body is what the
// moves put there and then, where there is more of it, the front of the old one.
void SnakeState::write_body_delta(json::Writer& writer) const {
    const auto length = walk_.body_length();
    const auto fresh = std::min(length, moves_made_);
    const auto kept = length - fresh;
    const auto operations = body_before_ - kept + fresh;
    if (operations == 0) return;
    if (operations * operation_bytes > length * square_bytes + operation_bytes) {
        begin_operation(writer, "replace", "/body");
        writer.key("value");
        write_squares(writer, walk_.body());
        writer.end_object();
        return;
    }
    for (auto left = body_before_; left > kept; --left) {
        begin_operation(writer, "remove", "/body/" + std::to_string(left - 1));
        writer.end_object();
    }
    const auto front = walk_.body(fresh);
    for (auto square = front.rbegin(); square != front.rend(); ++square) {
        begin_operation(writer, "add", "/body/0");
        writer.key("value");
        write_square(writer, *square);
        writer.end_object();
    }
}

}  // namespace engines::snake_labyrinth
