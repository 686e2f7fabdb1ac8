#include <algorithm>
#include <optional>
#include <unordered_map>

#include "engines/e7_planets/limits.h"
#include "engines/e7_planets/map.h"

namespace engines::e7_planets {
namespace {

constexpr std::size_t initial_rows =
    2;  // of every list of locations: before the start, and the start
constexpr std::size_t empty_cells_min = 2;  // the original insists on them

std::string quoted(std::string_view name) {
    return "'" + std::string(name) + "'";
}

std::string text_of(Cell cell) {
    return "[" + std::to_string(cell.row + 1) + ", " + std::to_string(cell.column + 1) + "]";
}

// Reads one map, member by member; the first thing that is wrong stops it.
class MapReader {
 public:
    explicit MapReader(std::string_view root) : root_(root) {}

    std::variant<Map, FieldError> read(json::View map) {
        const bool fine =
            members(map, root_, {"grid", "player", "scraps", "ghosts", "remaining_turns"}) &&
            grid(map.find("grid")) && player(map.find("player")) && scraps(map.find("scraps")) &&
            ghosts(map.find("ghosts")) && turns(map.find("remaining_turns"));
        if (!fine) return std::move(error_);
        return std::move(map_);
    }

 private:
    bool refuse(json::View at, std::string field, std::string message) {
        error_ = {std::move(field), std::move(message), at.line()};
        return false;
    }

    bool expected(json::View at, std::string field, const std::string& what) {
        const std::string found = at ? std::string(json::describe(at.kind())) : "nothing";
        return refuse(at, std::move(field), "expected " + what + ", found " + found);
    }

    std::string under(const std::string& field, std::string_view name) const {
        return field.empty() ? std::string(name) : field + "." + std::string(name);
    }

    static std::string element(const std::string& field, std::size_t i) {
        return field + "[" + std::to_string(i) + "]";
    }

    // An object with exactly these members.
    bool members(json::View object, const std::string& field,
                 std::initializer_list<std::string_view> names) {
        if (!object.is_object()) {
            return expected(object, field.empty() ? "map" : field, "an object with " + list(names));
        }
        for (const auto [name, value] : object.members()) {
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                return refuse(value, under(field, name),
                              "is no member here; expected " + list(names));
            }
        }
        for (const auto name : names) {
            if (!object.find(name)) {
                return refuse(object, under(field, name), "is missing; expected " + list(names));
            }
        }
        return true;
    }

    static std::string list(std::initializer_list<std::string_view> names) {
        std::string text;
        for (const auto name : names) text += (text.empty() ? "" : ", ") + quoted(name);
        return text;
    }

    bool integer(json::View value, const std::string& field, std::int64_t least, std::int64_t most,
                 std::int64_t& out) {
        const auto range =
            "an integer from " + std::to_string(least) + " to " + std::to_string(most);
        if (value.kind() != json::Kind::integer) return expected(value, field, range);
        const auto number = value.integer();
        if (!number) return refuse(value, field, "expected " + range + ", found one beyond 2^63");
        if (*number < least || *number > most) {
            return refuse(value, field, "expected " + range + ", found " + std::to_string(*number));
        }
        out = *number;
        return true;
    }

    bool grid(json::View rows) {
        const auto field = under(root_, "grid");
        if (!rows.is_array() || rows.size() == 0) {
            return expected(rows, field, "rows of integers, as in [[0, -1, 3], [0, 0, 0]]");
        }
        if (rows.size() > static_cast<std::size_t>(rows_max)) {
            return refuse(rows, field, "has more than " + std::to_string(rows_max) + " rows");
        }
        const auto first_row = rows.at(0);
        if (first_row.size() > static_cast<std::size_t>(columns_max)) {
            return refuse(first_row, element(field, 0),
                          "has more than " + std::to_string(columns_max) + " columns");
        }
        map_.rows = static_cast<std::int32_t>(rows.size());
        map_.columns = static_cast<std::int32_t>(first_row.size());
        map_.grid.reserve(rows.size() * first_row.size());
        std::size_t r = 0;
        for (const auto row : rows.elements()) {
            if (!grid_row(row, element(field, r++))) return false;
        }
        const auto empty = std::count(map_.grid.begin(), map_.grid.end(), 0);
        if (static_cast<std::size_t>(empty) < empty_cells_min) {
            return refuse(
                rows, field,
                "expected at least two cells of empty space (0), found " + std::to_string(empty));
        }
        return true;
    }

    bool grid_row(json::View row, const std::string& field) {
        if (!row.is_array() || row.size() == 0) {
            return expected(row, field, "a row of integers, as in [0, -1, 3]");
        }
        if (row.size() != static_cast<std::size_t>(map_.columns)) {
            return refuse(row, field,
                          "expected " + std::to_string(map_.columns) +
                              " cells as in the first row, found " + std::to_string(row.size()));
        }
        std::size_t c = 0;
        for (const auto cell : row.elements()) {
            std::int64_t value = 0;
            if (!integer(cell, element(field, c++), asteroid_field, value_max, value)) return false;
            map_.grid.push_back(value);
        }
        return true;
    }

    bool player(json::View player) {
        const auto field = under(root_, "player");
        if (!members(player, field, {"location", "score"})) return false;
        const auto rows = player.find("location");
        const auto rows_field = under(field, "location");
        std::int64_t score = 0;
        return two_rows(rows, rows_field) && nowhere(rows.at(0), element(rows_field, 0)) &&
               cell(rows.at(1), element(rows_field, 1), map_.ship) &&
               claim(rows.at(1), rows_field, map_.ship, "the player") &&
               integer(player.find("score"), under(field, "score"), 0, 0, score);
    }

    bool scraps(json::View scraps) {
        const auto field = under(root_, "scraps");
        if (!scraps.is_array() || scraps.size() == 0) {
            return expected(scraps, field,
                            R"(at least one scrap, as in [{"location": [1, 2], "value": 5}])");
        }
        std::int64_t total = 0;
        std::size_t i = 0;
        for (const auto each : scraps.elements()) {
            const auto name = element(field, i);
            const auto location = each.find("location");
            const auto value = each.find("value");
            Scrap scrap;
            if (!members(each, name, {"location", "value"}) ||
                !cell(location, under(name, "location"), scrap.cell) ||
                !claim(location, under(name, "location"), scrap.cell,
                       "scraps[" + std::to_string(i) + "]") ||
                !integer(value, under(name, "value"), 1, value_max, scrap.value)) {
                return false;
            }
            if (scrap.value > value_max - total) {
                return refuse(value, under(name, "value"),
                              "brings the value of all scraps above " + std::to_string(value_max));
            }
            total += scrap.value;
            map_.scraps.push_back(scrap);
            ++i;
        }
        return true;
    }

    bool ghosts(json::View ghosts) {
        const auto field = under(root_, "ghosts");
        if (!ghosts.is_array())
            return expected(ghosts, field, "an array of ghosts, which may be empty");
        if (ghosts.size() > ghosts_max) {
            return refuse(ghosts, field, "has more than " + std::to_string(ghosts_max) + " ghosts");
        }
        std::size_t i = 0;
        for (const auto each : ghosts.elements()) {
            GhostStart start;
            if (!ghost(each, element(field, i), i, start)) return false;
            map_.ghosts.push_back(start);
            ++i;
        }
        return true;
    }

    bool ghost(json::View ghost, const std::string& field, std::size_t i, GhostStart& start) {
        if (!members(ghost, field, {"location", "type", "transparency"})) return false;
        const auto type = ghost.find("type");
        const auto type_text = type.string();
        if (type_text == type_name(GhostType::toward_player)) {
            start.type = GhostType::toward_player;
        } else if (type_text != type_name(GhostType::back_and_forth)) {
            if (!type_text)
                return expected(type, under(field, "type"), "'backandforth' or 'towardplayer'");
            return refuse(type, under(field, "type"),
                          "expected 'backandforth' or 'towardplayer', found another string");
        }
        const auto rows = ghost.find("location");
        const auto rows_field = under(field, "location");
        std::int64_t transparency = 0;
        if (!two_rows(rows, rows_field) || !cell(rows.at(1), element(rows_field, 1), start.cell) ||
            !claim(rows.at(1), rows_field, start.cell, "ghosts[" + std::to_string(i) + "]") ||
            !before(rows.at(0), element(rows_field, 0), start) ||
            !integer(ghost.find("transparency"), under(field, "transparency"), slowed_and_blocked,
                     neither, transparency)) {
            return false;
        }
        start.transparency = static_cast<int>(transparency);
        return true;
    }

    // A ghost's first row.
    bool before(json::View row, const std::string& field, GhostStart& start) {
        if (start.type == GhostType::toward_player) return nowhere(row, field);
        if (!cell(row, field, start.before)) return false;
        for (const auto direction : four_directions) {
            if (Map::beside(start.before, direction) == start.cell) return true;
        }
        return refuse(row, field,
                      "expected the pre-starting cell, one step from " + text_of(start.cell) +
                          ", found " + text_of(start.before));
    }

    bool turns(json::View turns) {
        const auto field = under(root_, "remaining_turns");
        if (!integer(turns, field, 1, turns_max, map_.turns)) return false;
        const auto movers = static_cast<std::int64_t>(map_.ghosts.size()) + 1;
        if (map_.turns * movers > history_rows_max) {
            return refuse(
                turns, field,
                "is too many for so many ghosts: turns times ghosts and ship is at most " +
                    std::to_string(history_rows_max));
        }
        return true;
    }

    bool two_rows(json::View rows, const std::string& field) {
        if (!rows.is_array()) {
            return expected(rows, field, "two rows, as in [[null, null], [3, 4]]");
        }
        if (rows.size() == initial_rows) return true;
        return refuse(rows, field,
                      "expected two rows, the one before the start and the start, found " +
                          std::to_string(rows.size()));
    }

    bool nowhere(json::View row, const std::string& field) {
        if (row.is_array() && row.size() == 2 && row.at(0) && row.at(0).is_null() &&
            row.at(1).is_null()) {
            return true;
        }
        return refuse(row, field, "expected [null, null]");
    }

    bool cell(json::View pair, const std::string& field, Cell& out) {
        if (!pair.is_array()) return expected(pair, field, "a cell, as in [3, 4]");
        if (pair.size() != 2) {
            return refuse(pair, field,
                          "expected a row and a column, as in [3, 4], found " +
                              std::to_string(pair.size()) + " elements");
        }
        std::int64_t row = 0;
        std::int64_t column = 0;
        if (!integer(pair.at(0), element(field, 0), 1, map_.rows, row) ||
            !integer(pair.at(1), element(field, 1), 1, map_.columns, column)) {
            return false;
        }
        out = {static_cast<std::int32_t>(row - 1), static_cast<std::int32_t>(column - 1)};
        return true;
    }

    // Whoever starts on a cell has it alone, and outside of asteroid fields.
    bool claim(json::View at, const std::string& field, Cell cell, const std::string& owner) {
        if (map_.at(cell) == asteroid_field) {
            return refuse(at, field, "starts on an asteroid field, at " + text_of(cell));
        }
        const auto [taken, is_new] = taken_.try_emplace(map_.index(cell), owner);
        if (is_new) return true;
        return refuse(at, field,
                      "starts at " + text_of(cell) + ", where " + taken->second + " starts");
    }

    const std::string root_;
    Map map_;
    FieldError error_;
    std::unordered_map<std::size_t, std::string> taken_;
};

}  // namespace

std::variant<Map, FieldError> read_map(json::View map, std::string_view root) {
    return MapReader(root).read(map);
}

std::variant<Map, FieldError> read_map_text(std::string_view text) {
    json::Document document;
    json::ParseOptions options;
    options.lines = true;
    if (const auto error = document.parse(text, options)) {
        return FieldError{"map", error->message, error->line};
    }
    return read_map(document.root(), "");
}

}  // namespace engines::e7_planets
