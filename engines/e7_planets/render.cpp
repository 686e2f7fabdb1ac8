#include "engines/e7_planets/render.h"

#include <algorithm>
#include <vector>

namespace engines::e7_planets {
namespace {

constexpr std::size_t cell_width_min = 2;
constexpr std::size_t cell_width_max = 4;
constexpr std::size_t figure_lines = 2;       // above the grid: the figures, the columns' numbers
constexpr std::size_t window_lines = 2;       // below a window: where it lies, what lies outside
constexpr std::size_t listed_bytes_max = 66;  // of what lies outside; a count follows
constexpr std::int32_t two_digits = 100;      // of a column's number, where cells are narrow
constexpr std::int32_t three_digits = 1000;

std::string ghost_mark(const GhostStart& ghost) {
    return (ghost.type == GhostType::back_and_forth ? "b" : "t") +
           std::to_string(ghost.transparency);
}

// What stands on each cell, the topmost only.
std::vector<std::string> marks(const Map& map, const Position& position) {
    std::vector<std::string> marks;
    marks.reserve(map.cells());
    for (const auto value : map.grid) {
        marks.push_back(value == asteroid_field ? "#" : value == 0 ? "." : std::to_string(value));
    }
    for (const auto i : position.scraps_left) {
        const auto& scrap = map.scraps[i];
        marks[map.index(scrap.cell)] = "$" + std::to_string(scrap.value);
    }
    marks[map.index(position.ship.cell)] = "@";
    for (std::size_t i = 0; i < position.ghosts.size(); ++i) {
        marks[map.index(position.ghosts[i].cell)] = ghost_mark(map.ghosts[i]);
    }
    return marks;
}

// Wide enough for every mark, and so that two numbers never touch.
std::size_t cell_width(const std::vector<std::string>& marks) {
    std::size_t width = cell_width_min;
    for (const auto& mark : marks) {
        const bool is_number = mark.front() >= '0' && mark.front() <= '9';
        width = std::max(width, mark.size() + (is_number ? 1 : 0));
    }
    return std::min(width, cell_width_max);
}

void append_padded(std::string& out, std::string text, std::size_t width) {
    if (text.size() > width) {
        text.resize(width - 1);
        text += '+';
    }
    out.append(width - text.size(), ' ');
    out += text;
}

std::string figures(const Map& map, const Position& position) {
    std::string text = "score " + std::to_string(position.score) + " of " +
                       std::to_string(map.total_value()) + ", scraps left " +
                       std::to_string(position.scraps_left.size()) + ", turns left " +
                       std::to_string(position.turns_left) + " of " + std::to_string(map.turns);
    if (position.ship.wait > 0) text += ", slowed down for " + std::to_string(position.ship.wait);
    if (position.caught) text += ", caught";
    return text + "\n";
}

// "not shown: $5 at 12,33, b1 at 3,4 ..."
std::string beyond(const Map& map, const Position& position, const Window& window) {
    std::string text;
    std::size_t left_out = 0;
    const auto list = [&](const std::string& mark, Cell cell) {
        if (window.holds(cell.row, cell.column)) return;
        const auto item =
            mark + " at " + std::to_string(cell.row + 1) + "," + std::to_string(cell.column + 1);
        if (text.size() + item.size() > listed_bytes_max) {
            ++left_out;
        } else {
            text += (text.empty() ? "not shown: " : ", ") + item;
        }
    };
    for (const auto i : position.scraps_left) {
        list("$" + std::to_string(map.scraps[i].value), map.scraps[i].cell);
    }
    for (std::size_t i = 0; i < position.ghosts.size(); ++i) {
        list(ghost_mark(map.ghosts[i]), position.ghosts[i].cell);
    }
    if (left_out > 0) text += " and " + std::to_string(left_out) + " more";
    return text.empty() ? text : text + '\n';
}

}  // namespace

std::string render_position(const Map& map, const Position& position, const Window& window) {
    const auto marks = e7_planets::marks(map, position);
    const auto width = cell_width(marks);
    const auto margin = std::to_string(map.rows).size();

    std::string out = figures(map, position);
    out.append(margin, ' ');
    const auto digits = width > cell_width_min ? three_digits : two_digits;
    for (auto column = window.columns.first; column < window.columns.end(); ++column) {
        append_padded(out, std::to_string((column + 1) % digits), width);
    }
    out += '\n';
    for (auto row = window.rows.first; row < window.rows.end(); ++row) {
        append_padded(out, std::to_string(row + 1), margin);
        for (auto column = window.columns.first; column < window.columns.end(); ++column) {
            append_padded(out, marks[map.index({row, column})], width);
        }
        out += '\n';
    }
    return out + place_of(window, map.rows, map.columns, 1) + beyond(map, position, window);
}

Window window_around_ship(const Map& map, const Position& position, const Screen& screen) {
    const auto ship = position.ship.cell;
    const auto margin = std::to_string(map.rows).size();
    const auto room = std::max(screen.columns, margin) - margin;
    const auto columns = static_cast<int>(room / cell_width(marks(map, position)));
    auto lines = lines_for_rows(screen, figure_lines);
    if (columns < map.columns || lines < map.rows) {
        lines = lines_for_rows(screen, figure_lines + window_lines);
    }
    return {span_around(ship.row, map.rows, lines), span_around(ship.column, map.columns, columns)};
}

}  // namespace engines::e7_planets
