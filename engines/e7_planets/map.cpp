#include "engines/e7_planets/map.h"

#include <numeric>

#include "protocol/base/assertion.h"

namespace engines::e7_planets {

namespace {

void write_rows(json::Writer& writer, const GhostStart* ghost, Cell cell) {
    writer.key("location").begin_array();
    if (ghost != nullptr && ghost->type == GhostType::back_and_forth) {
        write_cell(writer, ghost->before);
    } else {
        writer.begin_array().null().null().end_array();
    }
    write_cell(writer, cell);
    writer.end_array();
}

// A list as text, an element a line.
template <typename List, typename WriteElement>
void append_lines(std::string& out, const List& list, WriteElement write_element) {
    out += '[';
    for (std::size_t i = 0; i < list.size(); ++i) {
        out += i == 0 ? "\n    " : ",\n    ";
        json::Writer writer(out);
        write_element(writer, list[i]);
    }
    out += list.empty() ? "]" : "\n  ]";
}

void write_ghost_start(json::Writer& writer, const GhostStart& ghost) {
    writer.begin_object();
    write_rows(writer, &ghost, ghost.cell);
    writer.member("type", type_name(ghost.type));
    writer.member("transparency", ghost.transparency).end_object();
}

}  // namespace

Direction opposite(Direction direction) {
    switch (direction) {
        case Direction::up:
            return Direction::down;
        case Direction::down:
            return Direction::up;
        case Direction::left:
            return Direction::right;
        case Direction::right:
            return Direction::left;
        case Direction::stay:
            return Direction::stay;
    }
    return Direction::stay;
}

std::string_view letter(Direction direction) {
    switch (direction) {
        case Direction::up:
            return "U";
        case Direction::down:
            return "D";
        case Direction::left:
            return "L";
        case Direction::right:
            return "R";
        case Direction::stay:
            return ".";
    }
    return ".";
}

std::string_view type_name(GhostType type) {
    return type == GhostType::back_and_forth ? "backandforth" : "towardplayer";
}

std::int64_t Map::total_value() const {
    return std::accumulate(scraps.begin(), scraps.end(), std::int64_t{0},
                           [](std::int64_t sum, const Scrap& scrap) { return sum + scrap.value; });
}

Cell Map::beside(Cell cell, Direction direction) {
    switch (direction) {
        case Direction::up:
            return {cell.row - 1, cell.column};
        case Direction::down:
            return {cell.row + 1, cell.column};
        case Direction::left:
            return {cell.row, cell.column - 1};
        case Direction::right:
            return {cell.row, cell.column + 1};
        case Direction::stay:
            return cell;
    }
    return cell;
}

Cell Map::wrapped(Cell cell, Direction direction) const {
    auto to = beside(cell, direction);
    if (to.row < 0) to.row = rows - 1;
    if (to.row == rows) to.row = 0;
    if (to.column < 0) to.column = columns - 1;
    if (to.column == columns) to.column = 0;
    return to;
}

void write_cell(json::Writer& writer, Cell cell) {
    writer.begin_array().integer(cell.row + 1).integer(cell.column + 1).end_array();
}

void write_grid(json::Writer& writer, const Map& map) {
    writer.begin_array();
    for (std::int32_t row = 0; row < map.rows; ++row) {
        writer.begin_array();
        for (std::int32_t column = 0; column < map.columns; ++column) {
            writer.integer(map.at({row, column}));
        }
        writer.end_array();
    }
    writer.end_array();
}

void write_scrap(json::Writer& writer, const Scrap& scrap) {
    writer.begin_object().key("location");
    write_cell(writer, scrap.cell);
    writer.member("value", scrap.value).end_object();
}

std::string map_text(const Map& map) {
    std::vector<std::int32_t> rows(static_cast<std::size_t>(map.rows));
    std::iota(rows.begin(), rows.end(), 0);
    std::string out = "{\n  \"grid\": ";
    append_lines(out, rows, [&](json::Writer& writer, std::int32_t row) {
        writer.begin_array();
        for (std::int32_t column = 0; column < map.columns; ++column) {
            writer.integer(map.at({row, column}));
        }
        writer.end_array();
    });
    out += ",\n  \"player\": ";
    json::Writer player(out);
    player.begin_object();
    write_rows(player, nullptr, map.ship);
    player.member("score", 0).end_object();
    out += ",\n  \"scraps\": ";
    append_lines(out, map.scraps, write_scrap);
    out += ",\n  \"ghosts\": ";
    append_lines(out, map.ghosts, write_ghost_start);
    out += ",\n  \"remaining_turns\": " + std::to_string(map.turns) + "\n}\n";
    return out;
}

}  // namespace engines::e7_planets
