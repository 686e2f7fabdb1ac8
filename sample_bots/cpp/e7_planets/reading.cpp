#include "sample_bots/cpp/e7_planets/reading.h"

#include <algorithm>

namespace bots::e7_planets {
namespace {

namespace rules = engines::e7_planets;
namespace json = protocol::json;
using rules::Cell;
using rules::Direction;

std::optional<Cell> read_cell(json::View pair) {
    const auto row = pair.at(0).integer();
    const auto column = pair.at(1).integer();
    if (!row || !column) return std::nullopt;
    return Cell{static_cast<std::int32_t>(*row - 1), static_cast<std::int32_t>(*column - 1)};
}

std::int64_t number(json::View object, std::string_view name) {
    return object.find(name).integer().value_or(0);
}

struct History {
    Cell now;
    std::int64_t turns_here = 0;
    std::optional<Cell> before;  // the last different cell
};

std::optional<History> read_history(json::View owner) {
    std::optional<History> history;
    for (const auto row : owner.find("location").elements()) {
        const auto cell = read_cell(row);
        if (!cell) continue;  // [null, null], before the start
        if (!history) {
            history = History{*cell, 0, std::nullopt};
        } else if (history->now == *cell) {
            ++history->turns_here;
        } else {
            history = History{*cell, 0, history->now};
        }
    }
    return history;
}

// Of the direction in which a step leads from one cell to the other.
Direction direction_between(Cell from, Cell to) {
    for (const auto direction : rules::four_directions) {
        if (rules::Map::beside(from, direction) == to) return direction;
    }
    return Direction::stay;
}

std::optional<rules::Mover> read_mover(const rules::Map& map, json::View owner) {
    const auto history = read_history(owner);
    if (!history || !map.contains(history->now)) return std::nullopt;
    return rules::Mover{history->now, map.at(history->now) - history->turns_here, Direction::stay};
}

bool read_scraps(json::View scraps, std::vector<rules::Scrap>& out) {
    for (const auto scrap : scraps.elements()) {
        const auto cell = read_cell(scrap.find("location"));
        if (!cell) return false;
        out.push_back({*cell, number(scrap, "value")});
    }
    return true;
}

}  // namespace

std::optional<rules::Map> read_map(json::View state) {
    rules::Map map;
    const auto grid = state.find("grid");
    map.rows = static_cast<std::int32_t>(grid.size());
    map.columns = static_cast<std::int32_t>(grid.at(0).size());
    for (const auto row : grid.elements()) {
        for (const auto cell : row.elements()) map.grid.push_back(cell.integer().value_or(0));
    }
    if (map.grid.empty() || map.grid.size() != grid.size() * grid.at(0).size()) return std::nullopt;
    for (const auto ghost : state.find("ghosts").elements()) {
        auto& start = map.ghosts.emplace_back();
        if (ghost.find("type").string() == rules::type_name(rules::GhostType::toward_player)) {
            start.type = rules::GhostType::toward_player;
        }
        start.transparency = static_cast<int>(number(ghost, "transparency"));
    }
    if (!read_scraps(state.find("scraps"), map.scraps)) return std::nullopt;
    map.turns = number(state, "remaining_turns");
    const auto ship = read_history(state.find("player"));
    if (!ship || !map.contains(ship->now)) return std::nullopt;
    map.ship = ship->now;
    return map;
}

std::optional<rules::Position> read_position(const rules::Map& map, json::View state) {
    rules::Position position;
    const auto ship = read_mover(map, state.find("player"));
    const auto ghosts = state.find("ghosts");
    if (!ship || ghosts.size() != map.ghosts.size()) return std::nullopt;
    position.ship = *ship;
    for (const auto ghost : ghosts.elements()) {
        auto mover = read_mover(map, ghost);
        if (!mover) return std::nullopt;
        const auto i = position.ghosts.size();
        const auto before = read_history(ghost)->before;
        if (map.ghosts[i].type == rules::GhostType::back_and_forth && before) {
            mover->heading = direction_between(*before, mover->cell);
        }
        position.ghosts.push_back(*mover);
    }
    std::vector<rules::Scrap> left;
    if (!read_scraps(state.find("scraps"), left)) return std::nullopt;
    for (std::size_t i = 0; i < map.scraps.size(); ++i) {
        if (std::find(left.begin(), left.end(), map.scraps[i]) != left.end()) {
            position.scraps_left.push_back(i);
        }
    }
    position.score = number(state.find("player"), "score");
    position.turns_left = number(state, "remaining_turns");
    return position;
}

}  // namespace bots::e7_planets
