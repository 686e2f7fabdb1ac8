#include "engines/snake_labyrinth/maze.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace engines::snake_labyrinth {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view plain_example = "like 5, 3 and then three rows of five cells";

// The lines of a text, without their ends, and how far they were read.
class Lines {
 public:
    explicit Lines(std::string_view text) : rest_(text) {}

    bool done() const { return rest_.empty(); }
    std::size_t number() const { return number_; }  // of the line read last, from 1
    std::string_view next() {
        const auto end = rest_.find('\n');
        auto line = rest_.substr(0, end);
        rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        ++number_;
        return line;
    }

    // The next number, on this line or a later one; nothing where something else stands there.
    std::optional<std::size_t> next_number() {
        const auto begin = std::min(rest_.find_first_not_of(blanks), rest_.size());
        number_ += static_cast<std::size_t>(
            std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
        rest_.remove_prefix(begin);
        std::size_t value = 0;
        const auto [end, fault] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (fault != std::errc()) return std::nullopt;
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return value;
    }
    std::size_t line_now() const { return number_ + 1; }

 private:
    std::string_view rest_;
    std::size_t number_ = 0;
};

bool is_blank(std::string_view line) {
    return line.find_first_not_of(blanks) == std::string_view::npos;
}

MapError count_error(const Lines& lines, std::string_view which) {
    return {lines.line_now(), std::string(which),
            "expected the number of " + std::string(which) + ", 1 to " + std::to_string(side_max) +
                ": a maze begins with its columns and its rows, " + std::string(plain_example)};
}

std::variant<Maze, MapError> read_plain(std::string_view text) {
    Lines lines(text);
    const auto columns = lines.next_number();
    if (!columns || *columns < 1 || *columns > side_max) return count_error(lines, "columns");
    const auto row_count = lines.next_number();
    if (!row_count || *row_count < 1 || *row_count > side_max) return count_error(lines, "rows");
    if (!is_blank(lines.next())) {
        return MapError{lines.number(), "rows",
                        "expected nothing more on the line with the number of rows, " +
                            std::string(plain_example)};
    }
    const auto first_line = lines.line_now();
    std::vector<std::string_view> rows;
    while (rows.size() < *row_count) {
        if (lines.done()) {
            return MapError{lines.line_now(), "row " + std::to_string(rows.size()),
                            "expected " + std::to_string(*row_count) + " rows, and here are " +
                                std::to_string(rows.size())};
        }
        const auto row = lines.next();
        if (row.size() != *columns) {
            return MapError{lines.number(), "row " + std::to_string(rows.size()),
                            "expected " + std::to_string(*columns) + " cells, and here are " +
                                std::to_string(row.size()) + " (spaces at the end count too)"};
        }
        rows.push_back(row);
    }
    while (!lines.done()) {
        if (!is_blank(lines.next())) {
            return MapError{lines.number(), "row " + std::to_string(rows.size()),
                            "expected no more than " + std::to_string(*row_count) + " rows"};
        }
    }
    auto board = Board::from_rows(rows);
    if (auto* error = std::get_if<BoardError>(&board)) {
        return MapError{error->row ? first_line + *error->row : 0, "board",
                        std::move(error->message)};
    }
    return Maze{std::get<Board>(std::move(board)), std::nullopt};
}

MapError as_map_error(SetupError error) {
    return {0, std::move(error.field), std::move(error.message)};
}

std::variant<Maze, MapError> read_json(std::string_view text) {
    json::Document document;
    if (const auto error = document.parse(text)) return MapError{error->line, "", error->message};
    for (const auto [name, value] : document.root().members()) {
        if (name != "board" && name != "level") {
            return MapError{
                0, "",
                R"(expected no members but "board" and "level", as in {"level": "final", "board": ["o _"]})"};
        }
    }
    auto board = read_board(document.root().find("board"));
    if (auto* error = std::get_if<SetupError>(&board)) return as_map_error(std::move(*error));
    Maze maze{std::get<Board>(std::move(board)), std::nullopt};
    if (const auto name = document.root().find("level")) {
        auto level = read_level(name);
        if (auto* error = std::get_if<SetupError>(&level)) return as_map_error(std::move(*error));
        maze.level = std::get<Level>(level);
        if (auto broken = broken_promise(maze.board, *maze.level)) {
            return MapError{0, "board", std::move(broken->message)};
        }
    }
    return maze;
}

}  // namespace

std::variant<Maze, MapError> read_maze(std::string_view text) {
    const auto begin = text.find_first_not_of(blanks);
    if (begin != std::string_view::npos && text[begin] == '{') return read_json(text);
    return read_plain(text);
}

std::string write_maze(const Board& board, std::optional<Level> level) {
    std::string text;
    if (level) {
        text = "{\"level\": \"" + std::string(name_of(*level)) + "\", \"board\": [\n";
        for (std::size_t row = 0; row < board.rows(); ++row) {
            text += "  \"" + board.row_text(row) + (row + 1 < board.rows() ? "\",\n" : "\"\n");
        }
        return text + "]}\n";
    }
    text = std::to_string(board.columns()) + "\n" + std::to_string(board.rows()) + "\n";
    for (std::size_t row = 0; row < board.rows(); ++row) text += board.row_text(row) + "\n";
    return text;
}

std::variant<Board, SetupError> read_board(json::View rows) {
    if (!rows.is_array()) {
        return SetupError{"board",
                          "expected rows of cells, as in [\"#####\", \"o $ _\", \"#####\"], not " +
                              (rows ? std::string(json::describe(rows.kind())) : "nothing")};
    }
    std::vector<std::string_view> texts;
    for (const auto row : rows.elements()) {
        const auto text = row.string();
        if (!text) {
            return SetupError{"board[" + std::to_string(texts.size()) + "]",
                              "row " + std::to_string(texts.size()) +
                                  ": expected a string of cells, not " +
                                  std::string(json::describe(row.kind()))};
        }
        texts.push_back(*text);
    }
    auto board = Board::from_rows(texts);
    if (auto* error = std::get_if<BoardError>(&board)) {
        const auto field = error->row ? "board[" + std::to_string(*error->row) + "]" : "board";
        return SetupError{field, std::move(error->message)};
    }
    return std::get<Board>(std::move(board));
}

void write_board(json::Writer& writer, const Board& board) {
    writer.begin_array();
    for (std::size_t row = 0; row < board.rows(); ++row) writer.string(board.row_text(row));
    writer.end_array();
}

std::variant<Level, SetupError> read_level(json::View name) {
    const auto text = name.string();
    const auto level = text ? level_named(*text) : std::nullopt;
    if (level) return *level;
    return SetupError{"level",
                      R"(expected "challenge1", "challenge2", "challenge3" or "final", not )" +
                          (text ? "another name" : std::string(json::describe(name.kind())))};
}

}  // namespace engines::snake_labyrinth
