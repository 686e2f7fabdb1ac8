#include "engines/snake_labyrinth/level.h"

#include <string>
#include <vector>

#include "engines/snake_labyrinth/board.h"
#include "protocol/base/names.h"

namespace engines::snake_labyrinth {
namespace {

constexpr std::array<base::Named<Level>, all_levels.size()> levels{{
    {Level::challenge1, "challenge1"},
    {Level::challenge2, "challenge2"},
    {Level::challenge3, "challenge3"},
    {Level::final, "final"},
}};
static_assert(base::in_order(levels));

constexpr std::size_t open_sides_min = 2;  // of a cell that is no dead end

auto fail_at(const Board& board, Square square, Level level, std::string_view message) {
    const auto row = board.row_of(square);
    const auto column = board.column_of(square);
    return base::failure(BoardError{row, column,
                                    place_text(row, column) + ": " + std::string(message) +
                                        " (level " + std::string(name_of(level)) + ")"});
}

base::Result<void, BoardError> check_edge_cell(const Board& board, Square square, Level level) {
    const char found = board.at(square);
    if (found == cell::wall || found == cell::exit || square == board.start()) return {};
    return fail_at(
        board, square, level,
        std::string("a cell of the edge is a wall '#', the start 'o' or an exit '_', not '") +
            found + "'");
}

// Whether one of the eight cells around a cell inside is an edge cell.
bool next_to_edge(const Board& board, Square square) {
    const auto row = board.row_of(square);
    const auto column = board.column_of(square);
    return row == 1 || column == 1 || row + 2 == board.rows() || column + 2 == board.columns();
}

base::Result<void, BoardError> check_inner_cell(const Board& board, Square square, Level level) {
    const char found = board.at(square);
    if (square == board.start()) {
        return fail_at(board, square, level, "the start 'o' stands on the edge, not inside");
    }
    if (found == cell::exit) {
        return fail_at(board, square, level, "exits '_' stand on the edge, not inside");
    }
    if (level == Level::challenge1) {
        if (found == cell::empty || found == cell::coin) return {};
        return fail_at(
            board, square, level,
            std::string("inside there are only spaces and coins '$', not '") + found + "'");
    }
    if (found == cell::wall && next_to_edge(board, square)) {
        return fail_at(board, square, level,
                       "an inner wall '#' stands next to the edge and can't be walked around");
    }
    return {};
}

std::size_t open_sides(const Board& board, Square square) {
    std::size_t open = 0;
    for (const auto direction : all_directions) {
        const auto side = board.neighbour(square, direction);
        if (side && board.at(*side) != cell::wall) ++open;
    }
    return open;
}

base::Result<void, BoardError> check_dead_ends(const Board& board, Level level) {
    const auto distances = distances_from_start(board);
    for (Square square = 0; square < board.size(); ++square) {
        if (distances[square] == unreached || board.on_edge(square)) continue;
        const auto open = open_sides(board, square);
        if (open >= open_sides_min) continue;
        return fail_at(board, square, level,
                       "a dead end: the cell is open on " + std::to_string(open) +
                           (open == 1 ? " side" : " sides") + ", and at least two are promised");
    }
    return {};
}

}  // namespace

std::string_view name_of(Level level) {
    return base::row_of(levels, level).name;
}

std::optional<Level> level_named(std::string_view name) {
    return base::value_named(levels, name);
}

bool plays_with_body(Level level) {
    return level == Level::challenge3 || level == Level::final;
}

base::Result<void, BoardError> check_promise(const Board& board, Level level) {
    if (level == Level::final) return {};
    for (Square square = 0; square < board.size(); ++square) {
        auto cell = board.on_edge(square) ? check_edge_cell(board, square, level)
                                          : check_inner_cell(board, square, level);
        if (!cell) return cell;
    }
    if (level == Level::challenge1) return {};
    return check_dead_ends(board, level);
}

Level narrowest_level(const Board& board) {
    for (const auto level : all_levels) {
        if (check_promise(board, level)) return level;
    }
    return Level::final;
}

}  // namespace engines::snake_labyrinth
