#include "tests/engines/e7_planets/page_rules.h"

#include <cstdlib>
#include <string>
#include <utility>

namespace tests {
namespace {

using nlohmann::json;
using Pair = std::pair<long, long>;  // row and column, from 1

Pair pair_of(const json& row) {
    return {row[0].get<long>(), row[1].get<long>()};
}

Pair last_of(const json& owner) {
    return pair_of(owner.at("location").back());
}

long rows_of(const json& state) {
    return static_cast<long>(state.at("grid").size());
}
long columns_of(const json& state) {
    return static_cast<long>(state.at("grid")[0].size());
}

bool is_inside(const json& state, Pair cell) {
    return cell.first >= 1 && cell.second >= 1 && cell.first <= rows_of(state) &&
           cell.second <= columns_of(state);
}

long grid_at(const json& state, Pair cell) {
    return state
        .at("grid")[static_cast<std::size_t>(cell.first - 1)]
                   [static_cast<std::size_t>(cell.second - 1)]
        .get<long>();
}

bool can_enter(const json& state, Pair cell, int transparency) {
    return is_inside(state, cell) && (transparency == 2 || grid_at(state, cell) != -1);
}

// How long it still waits, as of before this turn: the cell's value less the turns since it came.
long wait_of(const json& state, const json& owner) {
    const auto& rows = owner.at("location");
    std::size_t since = 0;
    while (rows.size() - since > 2 && rows[rows.size() - 2 - since] == rows.back()) ++since;
    return grid_at(state, last_of(owner)) - static_cast<long>(since);
}

bool is_held(const json& state, const json& owner) {
    return wait_of(state, owner) - 1 >= 0;
}

Pair ship_target(const json& state, const json& move) {
    auto cell = last_of(state.at("player"));
    const auto start = cell;
    if (!move.is_string() || is_held(state, state.at("player"))) return cell;
    if (move == "U") cell.first = cell.first == 1 ? rows_of(state) : cell.first - 1;
    if (move == "D") cell.first = cell.first == rows_of(state) ? 1 : cell.first + 1;
    if (move == "L") cell.second = cell.second == 1 ? columns_of(state) : cell.second - 1;
    if (move == "R") cell.second = cell.second == columns_of(state) ? 1 : cell.second + 1;
    return grid_at(state, cell) == -1 ? start : cell;
}

Pair toward_player(const json& state, const json& ghost) {
    const int transparency = ghost.at("transparency");
    const auto from = last_of(ghost);
    const auto to = last_of(state.at("player"));
    const Pair vertical{from.first + (to.first > from.first ? 1 : -1), from.second};
    const Pair horizontal{from.first, from.second + (to.second > from.second ? 1 : -1)};
    Pair wanted = horizontal;
    if (from.second == to.second) {
        wanted = vertical;
    } else if (from.first != to.first) {
        const bool down = can_enter(state, vertical, transparency);
        const bool across = can_enter(state, horizontal, transparency);
        const auto distance_down = std::labs(to.first - from.first);
        const auto distance_across = std::labs(to.second - from.second);
        if (down && !across) wanted = vertical;
        if (down == across && distance_down > distance_across) wanted = vertical;
        if (down == across && distance_down == distance_across &&
            rows_of(state) > columns_of(state)) {
            wanted = vertical;
        }
    }
    return can_enter(state, wanted, transparency) ? wanted : from;
}

Pair back_and_forth(const json& state, const json& ghost) {
    const int transparency = ghost.at("transparency");
    const auto& rows = ghost.at("location");
    const auto here = last_of(ghost);
    auto i = rows.size() - 1;
    while (pair_of(rows[i]) == here) --i;
    const auto before = pair_of(rows[i]);
    const Pair step{here.first - before.first, here.second - before.second};
    const Pair ahead{here.first + step.first, here.second + step.second};
    const Pair behind{here.first - step.first, here.second - step.second};
    if (can_enter(state, ahead, transparency)) return ahead;
    return can_enter(state, behind, transparency) ? behind : here;
}

Pair ghost_target(const json& state, const json& ghost) {
    if (ghost.at("transparency") == 0 && is_held(state, ghost)) return last_of(ghost);
    return ghost.at("type") == "towardplayer" ? toward_player(state, ghost)
                                              : back_and_forth(state, ghost);
}

void add_row(json& owner, Pair cell) {
    owner.at("location").push_back({cell.first, cell.second});
}

}  // namespace

json next_state(const json& state, const json& move) {
    json next = state;
    const auto old_ship = last_of(state.at("player"));
    const auto new_ship = ship_target(state, move);
    add_row(next.at("player"), new_ship);
    for (std::size_t i = 0; i < state.at("ghosts").size(); ++i) {
        const auto old_cell = last_of(state.at("ghosts")[i]);
        auto new_cell = ghost_target(state, state.at("ghosts")[i]);
        if (new_cell == old_ship && old_cell == new_ship) new_cell = old_cell;
        add_row(next.at("ghosts")[i], new_cell);
    }
    auto& scraps = next.at("scraps");
    for (std::size_t i = 0; i < scraps.size(); ++i) {
        if (pair_of(scraps[i].at("location")) != new_ship) continue;
        next.at("player").at("score") =
            next.at("player").at("score").get<long>() + scraps[i].at("value").get<long>();
        scraps.erase(i);
        break;
    }
    next.at("remaining_turns") = next.at("remaining_turns").get<long>() - 1;
    return next;
}

bool is_caught(const json& state) {
    for (const auto& ghost : state.at("ghosts")) {
        if (last_of(ghost) == last_of(state.at("player"))) return true;
    }
    return false;
}

}  // namespace tests
