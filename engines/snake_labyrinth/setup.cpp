#include "engines/snake_labyrinth/setup.h"

#include <array>
#include <limits>
#include <utility>

#include "engines/refusal.h"

namespace engines::snake_labyrinth {
namespace {

constexpr std::array<std::string_view, 5> known_members{"board", "maze", "level", "max_steps",
                                                        "on_illegal"};
constexpr std::string_view stay_name = "stay";
constexpr std::string_view void_name = "void";

std::optional<Board> named_board(const json::Placed& name, const MapCollection& mazes) {
    const auto text = name.view().string();
    if (!text) {
        name.expected("the name of a maze, as in \"handout\"");
        return std::nullopt;
    }
    const auto maze_text = mazes.text(*text);
    if (!maze_text) {
        std::string known;
        for (const auto& each : mazes.names()) known += (known.empty() ? "" : ", ") + each;
        name.wrong("there is no maze of that name; there are " + known);
        return std::nullopt;
    }
    auto maze = read_maze(*maze_text);
    if (maze) return std::move(maze->board);
    const auto& error = maze.error();
    name.wrong("the maze of that name is malformed: " +
               (error.line == 0 ? "" : "line " + std::to_string(error.line) + ": ") + error.member +
               ": " + error.message);
    return std::nullopt;
}

// From one of the two, which must be the only one.
std::optional<Board> read_either(const json::Placed& params, const json::Placed& rows,
                                 const json::Placed& maze, const MapCollection& mazes) {
    if (static_cast<bool>(rows) == static_cast<bool>(maze)) {
        params.wrong(std::string("expected exactly one of \"board\" and \"maze\", and here ") +
                     (rows ? "are both" : "is neither"));
        return std::nullopt;
    }
    return rows ? read_board(rows) : named_board(maze, mazes);
}

void read_rest(json::Reader& params, Setup& setup) {
    if (const auto name = params.optional("level"))
        setup.level = read_level(name).value_or(setup.level);
    params.integer("max_steps", setup.max_steps, 1, std::numeric_limits<std::int64_t>::max(),
                   "1000");
    if (const auto choice = params.optional_word("on_illegal", {stay_name, void_name}))
        setup.on_illegal = *choice == 0 ? OnIllegal::stay : OnIllegal::void_game;
}

}  // namespace

base::Result<Setup, SetupError> read_setup(json::View params, const MapCollection& mazes) {
    json::Mistakes mistakes;
    const json::Placed given(params, mistakes, "params");
    if (!params.is_object()) {
        given.expected(
            R"(an object with a board or a maze, as in {"board": ["#####", "o $ _", "#####"]})");
    }
    json::Reader reader(given);
    reader.only(known_members);
    const auto rows = reader.optional("board");
    const auto maze = reader.optional("maze");
    auto board = read_either(given, rows, maze, mazes);
    if (mistakes) return base::failure(refusal(mistakes));
    Setup setup{.board = *std::move(board)};
    read_rest(reader, setup);
    if (mistakes) return base::failure(refusal(mistakes));
    if (const auto kept = check_promise(setup.board, setup.level); !kept) {
        const auto& broken = kept.error();
        rows ? rows.element(*broken.row).wrong(broken.message) : maze.wrong(broken.message);
        return base::failure(refusal(mistakes));
    }
    return setup;
}

std::string write_setup(const Setup& setup) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object().key("board");
    write_board(writer, setup.board);
    writer.member("level", name_of(setup.level));
    writer.member("max_steps", setup.max_steps);
    writer.member("on_illegal", setup.on_illegal == OnIllegal::stay ? stay_name : void_name);
    writer.end_object();
    return text;
}

}  // namespace engines::snake_labyrinth
