#include "engines/snake_labyrinth/setup.h"

#include <algorithm>
#include <array>
#include <utility>

namespace engines::snake_labyrinth {
namespace {

constexpr std::array<std::string_view, 5> known_members{"board", "maze", "level", "max_steps",
                                                        "on_illegal"};
constexpr std::size_t shown_max = 40;
constexpr std::string_view stay_name = "stay";
constexpr std::string_view void_name = "void";

SetupError inside_params(SetupError error) {
    return {"params." + error.field, std::move(error.message)};
}

// A stranger's word in a one-line message: left out where it is long or not plain.
std::string shown(std::string_view word) {
    const bool plain =
        std::all_of(word.begin(), word.end(), [](char c) { return c > ' ' && c <= '~'; });
    return plain && word.size() <= shown_max ? std::string(word) : "(a name)";
}

std::optional<SetupError> check_members(json::View params) {
    if (!params.is_object()) {
        return SetupError{
            "params", std::string("expected an object with a board or a maze, as in {\"board\": ") +
                          "[\"#####\", \"o $ _\", \"#####\"]}, not " +
                          (params ? std::string(json::describe(params.kind())) : "nothing")};
    }
    for (const auto [name, value] : params.members()) {
        bool known = false;
        for (const auto member : known_members) known = known || member == name;
        if (!known) {
            return SetupError{"params." + shown(name),
                              "is no member of the params; these are board or maze, level, "
                              "max_steps and on_illegal"};
        }
    }
    const bool has_board = static_cast<bool>(params.find("board"));
    const bool has_maze = static_cast<bool>(params.find("maze"));
    if (has_board == has_maze) {
        return SetupError{"params",
                          std::string("expected exactly one of \"board\" and \"maze\", and here ") +
                              (has_board ? "are both" : "is neither")};
    }
    return std::nullopt;
}

std::variant<Board, SetupError> named_board(json::View name, const MapCollection& mazes) {
    const auto text = name.string();
    if (!text) {
        return SetupError{"maze", "expected the name of a maze, as in \"handout\", not " +
                                      std::string(json::describe(name.kind()))};
    }
    const auto maze_text = mazes.text(*text);
    if (!maze_text) {
        std::string known;
        for (const auto& each : mazes.names()) known += (known.empty() ? "" : ", ") + each;
        return SetupError{"maze", "there is no maze of that name; there are " + known};
    }
    auto maze = read_maze(*maze_text);
    if (auto* error = std::get_if<MapError>(&maze)) {
        return SetupError{
            "maze", "the maze of that name is malformed: " +
                        (error->line == 0 ? "" : "line " + std::to_string(error->line) + ": ") +
                        error->field + ": " + error->message};
    }
    return std::get<Maze>(std::move(maze)).board;
}

std::optional<SetupError> read_rest(json::View params, Setup& setup) {
    if (const auto name = params.find("level")) {
        auto level = read_level(name);
        if (auto* error = std::get_if<SetupError>(&level)) return std::move(*error);
        setup.level = std::get<Level>(level);
    }
    if (const auto number = params.find("max_steps")) {
        const auto steps = number.integer();
        if (!steps || *steps < 1) {
            return SetupError{"max_steps",
                              "expected an integer of at least 1, as in 1000, not " +
                                  (number.kind() == json::Kind::integer
                                       ? (steps ? std::to_string(*steps) : "one beyond 63 bits")
                                       : std::string(json::describe(number.kind())))};
        }
        setup.max_steps = *steps;
    }
    if (const auto choice = params.find("on_illegal")) {
        const auto text = choice.string();
        if (text != stay_name && text != void_name) {
            return SetupError{
                "on_illegal",
                "expected \"stay\" or \"void\", not " +
                    (text ? "another word" : std::string(json::describe(choice.kind())))};
        }
        setup.on_illegal = text == stay_name ? OnIllegal::stay : OnIllegal::void_game;
    }
    return std::nullopt;
}

}  // namespace

std::variant<Setup, SetupError> read_setup(json::View params, const MapCollection& mazes) {
    if (auto error = check_members(params)) return std::move(*error);
    const auto rows = params.find("board");
    auto board = rows ? read_board(rows) : named_board(params.find("maze"), mazes);
    if (auto* error = std::get_if<SetupError>(&board)) return inside_params(std::move(*error));
    Setup setup{.board = std::get<Board>(std::move(board))};
    if (auto error = read_rest(params, setup)) return inside_params(std::move(*error));
    if (auto broken = broken_promise(setup.board, setup.level)) {
        const auto field =
            rows ? "params.board[" + std::to_string(*broken->row) + "]" : "params.maze";
        return SetupError{field, std::move(broken->message)};
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
