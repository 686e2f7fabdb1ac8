#include "sample_bots/cpp/snake_labyrinth/reading.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engines/snake_labyrinth/maze.h"

namespace bots::snake_labyrinth {
namespace {

namespace json = protocol::json;
namespace rules = engines::snake_labyrinth;

struct Place {
    std::size_t row = 0, column = 0;
};

std::optional<Place> read_place(json::View view) {
    const auto row = view.at(0).unsigned_integer();
    const auto column = view.at(1).unsigned_integer();
    if (!row || !column || *row >= rules::side_max || *column >= rules::side_max)
        return std::nullopt;
    return Place{*row, *column};
}

// The board with the start where the head is now. A head on an exit makes no board.
std::optional<Board> read_board(json::View rows, Place head) {
    std::vector<std::string> texts;
    for (const auto row : rows.elements()) {
        const auto text = row.string();
        if (!text) return std::nullopt;
        texts.emplace_back(*text);
    }
    if (head.row >= texts.size() || head.column >= texts[head.row].size()) return std::nullopt;
    texts[head.row][head.column] = rules::cell::start;
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    auto board = Board::from_rows(views);
    if (!board) return std::nullopt;
    return *std::move(board);
}

// From the tail to the head, as Walk wants it.
std::optional<std::vector<Direction>> read_body(json::View body, const Board& board) {
    std::vector<Direction> directions;
    auto ahead = board.start();
    for (const auto segment : body.elements()) {
        const auto place = read_place(segment);
        if (!place || place->row >= board.rows() || place->column >= board.columns())
            return std::nullopt;
        const auto here = board.square(place->row, place->column);
        const auto before = directions.size();
        for (const auto direction : rules::all_directions) {
            if (board.neighbour(here, direction) == ahead) directions.push_back(direction);
        }
        if (directions.size() != before + 1) return std::nullopt;
        ahead = here;
    }
    std::reverse(directions.begin(), directions.end());
    return directions;
}

}  // namespace

std::optional<Position> read_position(json::View params, json::View state) {
    const auto name = params.find("level").string();
    const auto level = name ? rules::level_named(*name) : std::nullopt;
    const auto steps_max = params.find("max_steps").integer();
    const auto head = read_place(state.find("head"));
    const auto coins = state.find("coins").integer();
    const auto drill = state.find("drill").integer();
    const auto steps = state.find("steps").integer();
    if (!level || !steps_max || !head || !coins || !drill || !steps) return std::nullopt;
    const auto board = read_board(state.find("board"), *head);
    if (!board) return std::nullopt;
    const bool has_body = rules::plays_with_body(*level);
    auto body = read_body(state.find("body"), *board);
    if (!body || (!has_body && !body->empty())) return std::nullopt;
    return Position{Walk(*board, has_body, {std::move(*body), *coins, *drill, *steps}), *steps_max};
}

Route walk_route(const Position& from, std::string_view letters) {
    Walk walk = from.walk;
    Route route;
    for (const char letter : letters) {
        if (walk.has_left() || walk.steps() >= from.steps_max) break;
        const auto direction = engines::snake_labyrinth::direction_of(letter);
        if (!direction) break;
        const auto step = walk.step(*direction);
        if (step == Walk::Step::wall || step == Walk::Step::edge) break;
        route.letters += letter;
    }
    route.is_out = walk.has_left();
    route.score = walk.score();
    route.steps = walk.steps();
    return route;
}

}  // namespace bots::snake_labyrinth
