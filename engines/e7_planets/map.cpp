#include "engines/e7_planets/map.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "protocol/base/text.h"

namespace engines::e7_planets {
namespace {

struct Step {
    std::string_view letter;
    Direction opposite;
    std::int32_t down;
    std::int32_t right;
};
// By direction.
constexpr std::array<Step, 5> steps{{{"U", Direction::down, -1, 0},
                                     {"D", Direction::up, 1, 0},
                                     {"L", Direction::right, 0, -1},
                                     {"R", Direction::left, 0, 1},
                                     {".", Direction::stay, 0, 0}}};

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

void write_row(json::Writer& writer, const Map& map, std::int32_t row) {
    writer.begin_array();
    for (std::int32_t column = 0; column < map.columns; ++column) {
        writer.integer(map.at({row, column}));
    }
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

constexpr std::size_t initial_rows =
    2;  // of every list of locations: before the start, and the start
constexpr std::size_t empty_cells_min = 2;  // the original insists on them
constexpr std::array<GhostType, 2> ghost_types = {GhostType::back_and_forth,
                                                  GhostType::toward_player};

std::string text_of(Cell cell) {
    return fmt::format("[{}, {}]", cell.row + 1, cell.column + 1);
}

void at_most(const json::Placed& list, std::size_t most, const std::string& what) {
    if (list.size() > most) list.wrong(fmt::format("has more than {} {}", most, what));
}

// Reads one map, member by member; the first thing that is wrong stops it.
class MapReader {
 public:
    explicit MapReader(json::Mistakes& mistakes) : mistakes_(mistakes) {}

    std::optional<Map> read(const json::Placed& map) {
        json::Reader members(map);
        if (!map.object()) return std::nullopt;
        members.only({"grid", "player", "scraps", "ghosts", "remaining_turns"});
        grid(members.member("grid"));
        if (!mistakes_) player(members.member("player"));
        if (!mistakes_) scraps(members.member("scraps"));
        if (!mistakes_) ghosts(members.member("ghosts"));
        if (!mistakes_) turns(members.member("remaining_turns"));
        if (mistakes_) return std::nullopt;
        return std::move(map_);
    }

 private:
    void grid(const json::Placed& rows) {
        if (!rows.view().is_array() || rows.size() == 0)
            return rows.expected("rows of integers, as in [[0, -1, 3], [0, 0, 0]]");
        at_most(rows, static_cast<std::size_t>(rows_max), "rows");
        const auto first_row = rows.element(0);
        at_most(first_row, static_cast<std::size_t>(columns_max), "columns");
        if (mistakes_) return;
        map_.rows = static_cast<std::int32_t>(rows.size());
        map_.columns = static_cast<std::int32_t>(first_row.size());
        map_.grid.reserve(rows.size() * first_row.size());
        for (const auto row : rows.elements()) {
            grid_row(row);
            if (mistakes_) return;
        }
        const auto empty = std::count(map_.grid.begin(), map_.grid.end(), 0);
        if (static_cast<std::size_t>(empty) < empty_cells_min)
            rows.wrong(
                fmt::format("expected at least two cells of empty space (0), found {}", empty));
    }

    void grid_row(const json::Placed& row) {
        if (!row.view().is_array() || row.size() == 0)
            return row.expected("a row of integers, as in [0, -1, 3]");
        if (row.size() != static_cast<std::size_t>(map_.columns))
            return row.wrong(fmt::format("expected {} cells as in the first row, found {}",
                                         map_.columns, row.size()));
        for (const auto cell : row.elements())
            map_.grid.push_back(cell.integer({asteroid_field, value_max}).value_or(0));
    }

    void player(const json::Placed& player) {
        json::Reader members(player);
        if (!player.object()) return;
        members.only({"location", "score"});
        const auto rows = members.member("location");
        two_rows(rows);
        if (mistakes_) return;
        nowhere(rows.element(0));
        map_.ship = cell(rows.element(1));
        claim(rows, map_.ship, "the player");
        members.integer("score", {0, 0});
    }

    void scraps(const json::Placed& scraps) {
        if (!scraps.view().is_array() || scraps.size() == 0)
            return scraps.expected(
                R"(at least one scrap, as in [{"location": [1, 2], "value": 5}])");
        std::int64_t total = 0;
        for (const auto each : scraps.elements()) {
            json::Reader members(each);
            each.object();
            members.only({"location", "value"});
            const auto location = members.member("location");
            const auto value = members.member("value");
            Scrap scrap;
            scrap.cell = cell(location);
            claim(location, scrap.cell, fmt::format("scraps[{}]", map_.scraps.size()));
            scrap.value = value.integer({1, value_max}).value_or(0);
            if (scrap.value > value_max - total)
                value.wrong(fmt::format("brings the value of all scraps above {}", value_max));
            if (mistakes_) return;
            total += scrap.value;
            map_.scraps.push_back(scrap);
        }
    }

    void ghosts(const json::Placed& ghosts) {
        if (!ghosts.view().is_array())
            return ghosts.expected("an array of ghosts, which may be empty");
        at_most(ghosts, ghosts_max, "ghosts");
        for (const auto each : ghosts.elements()) {
            if (mistakes_) return;
            map_.ghosts.push_back(ghost(each));
        }
    }

    GhostStart ghost(const json::Placed& ghost) {
        GhostStart start;
        json::Reader members(ghost);
        if (!ghost.object()) return start;
        members.only({"location", "type", "transparency"});
        const std::array<std::string_view, ghost_types.size()> names = {type_name(ghost_types[0]),
                                                                        type_name(ghost_types[1])};
        if (const auto type = members.member("type").word(names)) start.type = ghost_types[*type];
        const auto rows = members.member("location");
        two_rows(rows);
        if (mistakes_) return start;
        start.cell = cell(rows.element(1));
        claim(rows, start.cell, fmt::format("ghosts[{}]", map_.ghosts.size()));
        before(rows.element(0), start);
        start.transparency =
            static_cast<int>(members.integer("transparency", {slowed_and_blocked, neither}));
        return start;
    }

    // A ghost's first row.
    void before(const json::Placed& row, GhostStart& start) {
        if (start.type == GhostType::toward_player) return nowhere(row);
        start.before = cell(row);
        for (const auto direction : four_directions) {
            if (Map::beside(start.before, direction) == start.cell) return;
        }
        row.wrong("expected the pre-starting cell, one step from " + text_of(start.cell) +
                  ", found " + text_of(start.before));
    }

    void turns(const json::Placed& turns) {
        map_.turns = turns.integer({1, turns_max}).value_or(0);
        const auto movers = static_cast<std::int64_t>(map_.ghosts.size()) + 1;
        if (map_.turns * movers > history_rows_max)
            turns.wrong(fmt::format(
                "is too many for so many ghosts: turns times ghosts and ship is at most {}",
                history_rows_max));
    }

    static void two_rows(const json::Placed& rows) {
        if (!rows.view().is_array()) return rows.expected("two rows, as in [[null, null], [3, 4]]");
        if (rows.size() == initial_rows) return;
        rows.wrong(fmt::format(
            "expected two rows, the one before the start and the start, found {}", rows.size()));
    }

    static void nowhere(const json::Placed& row) {
        const auto pair = row.view();
        const bool good =
            pair.is_array() && pair.size() == 2 && pair.at(0).is_null() && pair.at(1).is_null();
        if (!good) row.wrong("expected [null, null]");
    }

    // The first cell where it is none.
    Cell cell(const json::Placed& pair) const {
        if (!pair.view().is_array()) {
            pair.expected("a cell, as in [3, 4]");
        } else if (pair.size() != 2) {
            pair.wrong(fmt::format("expected a row and a column, as in [3, 4], found {} elements",
                                   pair.size()));
        }
        const auto row = pair.element(0).integer({1, map_.rows}).value_or(1);
        const auto column = pair.element(1).integer({1, map_.columns}).value_or(1);
        return {static_cast<std::int32_t>(row - 1), static_cast<std::int32_t>(column - 1)};
    }

    // Each start has its cell alone, and outside of asteroid fields.
    void claim(const json::Placed& at, Cell cell, std::string owner) {
        if (mistakes_) return;
        if (map_.at(cell) == asteroid_field)
            return at.wrong("starts on an asteroid field, at " + text_of(cell));
        const auto [taken, is_new] = taken_.try_emplace(map_.index(cell), std::move(owner));
        if (!is_new)
            at.wrong("starts at " + text_of(cell) + ", where " + taken->second + " starts");
    }

    json::Mistakes& mistakes_;
    Map map_;
    std::unordered_map<std::size_t, std::string> taken_;
};

}  // namespace

Direction opposite(Direction direction) {
    return steps[static_cast<std::size_t>(direction)].opposite;
}

std::string_view letter(Direction direction) {
    return steps[static_cast<std::size_t>(direction)].letter;
}

std::string_view type_name(GhostType type) {
    return type == GhostType::back_and_forth ? "backandforth" : "towardplayer";
}

std::int64_t Map::total_value() const {
    return std::accumulate(scraps.begin(), scraps.end(), std::int64_t{0},
                           [](std::int64_t sum, const Scrap& scrap) { return sum + scrap.value; });
}

Cell Map::beside(Cell cell, Direction direction) {
    const auto& step = steps[static_cast<std::size_t>(direction)];
    return {cell.row + step.down, cell.column + step.right};
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
        write_row(writer, map, row);
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
    append_lines(out, rows,
                 [&](json::Writer& writer, std::int32_t row) { write_row(writer, map, row); });
    out += ",\n  \"player\": ";
    json::Writer player(out);
    player.begin_object();
    write_rows(player, nullptr, map.ship);
    player.member("score", 0).end_object();
    out += ",\n  \"scraps\": ";
    append_lines(out, map.scraps, write_scrap);
    out += ",\n  \"ghosts\": ";
    append_lines(out, map.ghosts, write_ghost_start);
    out += fmt::format(",\n  \"remaining_turns\": {}\n}}\n", map.turns);
    return out;
}

std::optional<Map> read_map(const json::Placed& map) {
    return MapReader(map.mistakes()).read(map);
}

base::Result<Map, MapError> read_map_text(std::string_view text) {
    constexpr std::string_view whole = "map";  // what is wrong with no member of it
    json::Document document;
    if (const auto parsed = document.parse(text, {.lines = true}); !parsed)
        return base::failure(
            MapError{parsed.error().line, std::string(whole), parsed.error().message});
    json::Mistakes mistakes;
    auto map = read_map(json::Placed(document.root(), mistakes));
    if (map) return *std::move(map);
    const auto& first = mistakes.first();
    const auto path = first.path.empty() ? std::string(whole) : first.path;
    return base::failure(MapError{first.line, path, first.message});
}

}  // namespace engines::e7_planets
