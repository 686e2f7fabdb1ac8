#include "engines/snake_labyrinth/picture.h"

#include <string_view>

namespace engines::snake_labyrinth {
namespace {

constexpr char segment_mark = 'b';  // in cells only; shown as the ring
constexpr std::string_view segment_ring = "\u00B0";
constexpr char way_mark = '.';
constexpr char end_mark = 'x';

std::string draw_rows(const std::string& cells, const Board& board, const Window& window) {
    std::string text;
    for (int row = window.rows.first; row < window.rows.end(); ++row) {
        const auto begin = static_cast<std::size_t>(row) * board.columns();
        for (int column = window.columns.first; column < window.columns.end(); ++column) {
            const char cell = cells[begin + static_cast<std::size_t>(column)];
            if (cell == segment_mark) {
                text += segment_ring;
            } else {
                text += cell;
            }
        }
        text += '\n';
    }
    return text +
           place_of(window, static_cast<int>(board.rows()), static_cast<int>(board.columns()), 0);
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

std::string draw_position(const Walk& walk, const Window& window) {
    auto cells = walk.cells();
    for (const auto square : walk.body()) cells[square] = segment_mark;
    cells[walk.head()] = cell::start;
    return draw_rows(cells, walk.board(), window) + figures_text(walk);
}

std::string draw_path(const Walk& walk, const Window& window, std::size_t line_max) {
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
    auto text = draw_rows(cells, board, window) + std::string(ending) + figures_text(walk);
    auto moves = "moves: " + (walk.path().empty() ? "(none)" : std::string(walk.path()));
    for (; moves.size() > line_max; moves.erase(0, line_max)) {
        text += moves.substr(0, line_max) + "\n";
    }
    return text + moves + "\n";
}

}  // namespace engines::snake_labyrinth
