#include "engines/snake_labyrinth/picture.h"

#include <string_view>

namespace engines::snake_labyrinth {
namespace {

constexpr char segment_mark = 'b';  // in cells only; shown as the ring
constexpr std::string_view segment_ring = "\u00B0";
constexpr char way_mark = '.';
constexpr char end_mark = 'x';

std::string draw_rows(const std::string& cells, std::size_t columns) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] == segment_mark) {
            text += segment_ring;
        } else {
            text += cells[i];
        }
        if ((i + 1) % columns == 0) text += '\n';
    }
    return text;
}

std::string figures_text(const Walk& walk) {
    return "steps " + std::to_string(walk.steps()) + ", coins " + std::to_string(walk.coins()) +
           ", drill uses " + std::to_string(walk.drill_uses()) + ", score " +
           std::to_string(walk.score()) + "\n";
}

}  // namespace

std::string draw_board(const Board& board) {
    std::string text;
    for (std::size_t row = 0; row < board.rows(); ++row) text += board.row_text(row) + "\n";
    return text;
}

std::string draw_position(const Walk& walk) {
    auto cells = walk.cells();
    for (const auto square : walk.body()) cells[square] = segment_mark;
    cells[walk.head()] = cell::start;
    return draw_rows(cells, walk.board().columns()) + figures_text(walk);
}

std::string draw_path(const Walk& walk) {
    const auto& board = walk.board();
    auto cells = board.cells();
    auto square = board.start();
    for (const char letter : walk.path()) {
        square = *board.neighbour(square, *direction_of(letter));
        if (cells[square] != cell::exit) cells[square] = way_mark;
    }
    cells[board.start()] = cell::start;
    if (!walk.has_left()) cells[walk.head()] = end_mark;
    const std::string_view ending = walk.has_left() ? "left the labyrinth: " : "still inside: ";
    const auto path = walk.path().empty() ? std::string("(none)") : std::string(walk.path());
    return draw_rows(cells, board.columns()) + std::string(ending) + figures_text(walk) +
           "moves: " + path + "\n";
}

}  // namespace engines::snake_labyrinth
