#include "engines/snake_labyrinth/mazes.h"

#include <algorithm>
#include <utility>

#include "engines/snake_labyrinth/board.h"
#include "engines/snake_labyrinth/generate.h"
#include "engines/snake_labyrinth/maze.h"
#include "engines/snake_labyrinth/picture.h"
#include "engines/snake_labyrinth/walk.h"
#include "protocol/base/assertion.h"

namespace engines::snake_labyrinth {
namespace {

std::string count_text(const Board& board, char object) {
    return std::to_string(std::count(board.cells().begin(), board.cells().end(), object));
}

struct Exits {
    std::size_t all = 0;
    std::size_t reachable = 0;
    std::uint32_t nearest = unreached;
};

Exits find_exits(const Board& board) {
    const auto distances = distances_from_start(board);
    Exits exits;
    for (Square square = 0; square < board.size(); ++square) {
        if (board.at(square) != cell::exit) continue;
        ++exits.all;
        if (distances[square] == unreached) continue;
        ++exits.reachable;
        exits.nearest = std::min(exits.nearest, distances[square]);
    }
    return exits;
}

std::vector<MapFact> facts_of(const Maze& maze) {
    const auto& board = maze.board;
    const auto exits = find_exits(board);
    const auto narrowest = std::string(name_of(narrowest_level(board)));
    return {
        {"size", std::to_string(board.rows()) + " x " + std::to_string(board.columns())},
        {"level", narrowest},
        {"played at", std::string(name_of(maze.play_level()))},
        {"exits", std::to_string(exits.all)},
        {"reachable exits", std::to_string(exits.reachable)},
        {"shortest way",
         exits.reachable == 0 ? "none without drilling" : std::to_string(exits.nearest)},
        {"coins", count_text(board, cell::coin)},
        {"mishaps", count_text(board, cell::mishap)},
        {"drills", count_text(board, cell::drill)},
    };
}

}  // namespace

MazeCollection::MazeCollection(const Resources& resources) : own_(resources.maps) {}

bool MazeCollection::is_own(std::string_view name) const {
    return std::any_of(own_.begin(), own_.end(),
                       [&](const MapFile& file) { return file.name == name; });
}

std::vector<std::string> MazeCollection::names() const {
    std::vector<std::string> names;
    for (const auto& maze : shipped_mazes()) {
        if (!is_own(maze.name)) names.emplace_back(maze.name);
    }
    for (const auto& file : own_) names.push_back(file.name);
    return names;
}

std::optional<std::string> MazeCollection::text(std::string_view name) const {
    for (const auto& file : own_) {
        if (file.name == name) return file.text;
    }
    for (const auto& maze : shipped_mazes()) {
        if (maze.name == name) return std::string(maze.text);
    }
    return std::nullopt;
}

std::string MazeCollection::picture(std::string_view text) const {
    const auto maze = read_maze(text);
    REFEREE_ASSERT(maze.has_value());
    return draw_board(maze->board);
}

base::Result<std::vector<MapFact>, MapError> MazeCollection::examine(std::string_view text) const {
    auto maze = read_maze(text);
    if (!maze) return base::failure(std::move(maze.error()));
    return facts_of(*maze);
}

base::Result<std::string, MapError> MazeCollection::generate(const GenerateRequest& request) const {
    return generate_maze(request);
}

std::string MazeCollection::params_for_map(std::string_view name) const {
    std::string params;
    json::Writer writer(params);
    writer.begin_object().member("maze", name);
    if (const auto maze_text = text(name)) {
        const auto maze = read_maze(*maze_text);
        if (maze) writer.member("level", name_of(maze->play_level()));
    }
    writer.end_object();
    return params;
}

std::string MazeCollection::params_for_text(std::string_view text) const {
    const auto maze = read_maze(text);
    REFEREE_ASSERT(maze.has_value());
    std::string params;
    json::Writer writer(params);
    writer.begin_object().key("board");
    write_board(writer, maze->board);
    writer.member("level", name_of(maze->play_level())).end_object();
    return params;
}

}  // namespace engines::snake_labyrinth
