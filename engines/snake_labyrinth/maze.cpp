#include "engines/snake_labyrinth/maze.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "protocol/base/enum_names.h"
#include "protocol/base/text.h"

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
                       "a dead end: the cell is open on " + base::counted(open, "side") +
                           ", and at least two are promised");
    }
    return {};
}

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view row_marks = "#o_$!T";
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
    return {
        lines.line_now(), std::string(which),
        fmt::format("expected the number of {}, 1 to {}: a maze begins with its columns and its "
                    "rows, {}",
                    which, side_max, plain_example)};
}

MapError row_error(std::size_t line, std::size_t row, const std::string& expected) {
    return {line, fmt::format("row {}", row), "expected " + expected};
}

// Whether the first line that isn't blank looks like a row.
bool begins_with_a_row(std::string_view text) {
    const auto first = text.find_first_not_of(blanks);
    return first != std::string_view::npos && row_marks.find(text[first]) != std::string_view::npos;
}

base::Result<Maze, MapError> maze_of(const std::vector<std::string_view>& rows,
                                     std::size_t first_line) {
    auto board = Board::from_rows(rows);
    if (!board) {
        auto& wrong = board.error();
        return base::failure(
            MapError{wrong.row ? first_line + *wrong.row : 0, "board", std::move(wrong.message)});
    }
    return Maze{*std::move(board), std::nullopt};
}

base::Result<Maze, MapError> read_rows(std::string_view text) {
    Lines lines(text);
    std::vector<std::string_view> rows;
    std::size_t blank_ones = 0;  // since the last row; a row may be blank, but not the last
    std::size_t first_line = 0;
    while (!lines.done()) {
        const auto line = lines.next();
        if (rows.empty() && is_blank(line)) continue;
        if (rows.empty()) first_line = lines.number();
        blank_ones = is_blank(line) ? blank_ones + 1 : 0;
        rows.push_back(line);
    }
    rows.resize(rows.size() - blank_ones);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows[row].size() == rows.front().size()) continue;
        return base::failure(row_error(
            first_line + row, row,
            fmt::format(
                "{} cells as in the first row, and here are {} (spaces at the end count too)",
                rows.front().size(), rows[row].size())));
    }
    return maze_of(rows, first_line);
}

base::Result<Maze, MapError> read_plain(std::string_view text) {
    Lines lines(text);
    const auto columns = lines.next_number();
    if (!columns || *columns < 1 || *columns > side_max)
        return base::failure(count_error(lines, "columns"));
    const auto row_count = lines.next_number();
    if (!row_count || *row_count < 1 || *row_count > side_max)
        return base::failure(count_error(lines, "rows"));
    if (!is_blank(lines.next())) {
        return base::failure(
            MapError{lines.number(), "rows",
                     "expected nothing more on the line with the number of rows, " +
                         std::string(plain_example)});
    }
    const auto first_line = lines.line_now();
    std::vector<std::string_view> rows;
    while (rows.size() < *row_count) {
        if (lines.done())
            return base::failure(
                row_error(lines.line_now(), rows.size(),
                          fmt::format("{} rows, and here are {}", *row_count, rows.size())));
        const auto row = lines.next();
        if (row.size() != *columns)
            return base::failure(
                row_error(lines.number(), rows.size(),
                          fmt::format("{} cells, and here are {} (spaces at the end count too)",
                                      *columns, row.size())));
        rows.push_back(row);
    }
    while (!lines.done()) {
        if (!is_blank(lines.next()))
            return base::failure(row_error(lines.number(), rows.size(),
                                           fmt::format("no more than {} rows", *row_count)));
    }
    return maze_of(rows, first_line);
}

base::Result<Maze, MapError> read_json(std::string_view text) {
    json::Document document;
    if (const auto parsed = document.parse(text); !parsed)
        return base::failure(MapError{parsed.error().line, "", parsed.error().message});
    json::Mistakes mistakes;
    json::Reader reader(document.root(), mistakes);
    reader.only({"board", "level"});
    const auto rows = reader.member("board");
    auto board = read_board(rows);
    std::optional<Level> level;
    if (const auto name = reader.optional("level")) level = read_level(name);
    if (board && level) {
        if (const auto kept = check_promise(*board, *level); !kept)
            rows.wrong(kept.error().message);
    }
    if (mistakes) {
        const auto& first = mistakes.first();
        return base::failure(MapError{first.line, first.path, first.message});
    }
    return Maze{*std::move(board), level};
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

base::Result<Maze, MapError> read_maze(std::string_view text) {
    const auto begin = text.find_first_not_of(blanks);
    if (begin != std::string_view::npos && text[begin] == '{') return read_json(text);
    return begins_with_a_row(text) ? read_rows(text) : read_plain(text);
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
    text = fmt::format("{}\n{}\n", board.columns(), board.rows());
    for (std::size_t row = 0; row < board.rows(); ++row) text += board.row_text(row) + "\n";
    return text;
}

std::optional<Board> read_board(const json::Placed& rows) {
    if (!rows.view().is_array()) {
        rows.expected(R"(rows of cells, as in ["#####", "o $ _", "#####"])");
        return std::nullopt;
    }
    std::vector<std::string_view> texts;
    for (const auto row : rows.elements()) {
        const auto text = row.view().string();
        if (!text) {
            row.expected("a string of cells");
            return std::nullopt;
        }
        texts.push_back(*text);
    }
    auto board = Board::from_rows(texts);
    if (!board) {
        auto& wrong = board.error();
        (wrong.row ? rows.element(*wrong.row) : rows).wrong(std::move(wrong.message));
        return std::nullopt;
    }
    return *std::move(board);
}

void write_board(json::Writer& writer, const Board& board) {
    writer.begin_array();
    for (std::size_t row = 0; row < board.rows(); ++row) writer.string(board.row_text(row));
    writer.end_array();
}

std::optional<Level> read_level(const json::Placed& name) {
    std::array<std::string_view, all_levels.size()> names;
    std::transform(all_levels.begin(), all_levels.end(), names.begin(),
                   [](Level level) { return name_of(level); });
    const auto which = name.word(names);
    return which ? std::optional(all_levels[*which]) : std::nullopt;
}

}  // namespace engines::snake_labyrinth
