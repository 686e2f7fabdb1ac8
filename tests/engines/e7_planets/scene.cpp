#include "tests/engines/e7_planets/scene.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>
#include <utility>

namespace tests {

namespace {

using engines::e7_planets::Cell;
using engines::e7_planets::Direction;
using engines::e7_planets::GhostStart;
using engines::e7_planets::GhostType;
using engines::e7_planets::Map;

GhostStart ghost_of(const std::string& kind, Cell cell) {
    GhostStart ghost;
    ghost.cell = cell;
    ghost.type = kind.at(0) == 'b' ? GhostType::back_and_forth : GhostType::toward_player;
    ghost.transparency = kind.at(1) - '0';
    if (ghost.type == GhostType::toward_player) return ghost;
    for (const auto direction : engines::e7_planets::four_directions) {
        if (engines::e7_planets::letter(direction) != kind.substr(2)) continue;
        ghost.before = Map::beside(cell, engines::e7_planets::opposite(direction));
    }
    return ghost;
}

GhostStart random_ghost(Random& random, const Map& map, Cell cell) {
    GhostStart ghost;
    ghost.cell = cell;
    ghost.type = random.chance(50) ? GhostType::back_and_forth : GhostType::toward_player;
    ghost.transparency = static_cast<int>(random.below(3));
    while (ghost.type == GhostType::back_and_forth) {
        ghost.before = Map::beside(cell, engines::e7_planets::four_directions[random.below(4)]);
        if (map.contains(ghost.before)) break;
    }
    return ghost;
}

}  // namespace

Map map_of(const Scene& scene) {
    Map map;
    map.rows = static_cast<int>(scene.picture.size());
    map.columns = static_cast<int>(scene.picture.at(0).size());
    map.turns = scene.turns;
    map.ghosts.resize(scene.ghosts.size());
    for (int row = 0; row < map.rows; ++row) {
        for (int column = 0; column < map.columns; ++column) {
            const char mark =
                scene.picture[static_cast<std::size_t>(row)].at(static_cast<std::size_t>(column));
            const Cell cell{row, column};
            map.grid.push_back(mark == '#' ? engines::e7_planets::asteroid_field
                                           : (std::isdigit(mark) != 0 ? mark - '0' : 0));
            if (mark == '@') map.ship = cell;
            if (mark == '$') map.scraps.push_back({cell, scene_scrap_value});
            if (std::islower(mark) != 0) {
                const auto i = static_cast<std::size_t>(mark - 'a');
                map.ghosts.at(i) = ghost_of(scene.ghosts.at(i), cell);
            }
        }
    }
    for (const auto& each : scene.under) map.grid[map.index({each[0] - 1, each[1] - 1})] = each[2];
    return map;
}

std::string params_of(const Map& map) {
    return "{\"map\": " + engines::e7_planets::map_text(map) + "}";
}

const engines::Game& e7_game() {
    static const auto game = engines::e7_planets::make_game({});
    return *game;
}

std::vector<engines::Note> play_letters(engines::State& state, std::string_view letters) {
    std::vector<engines::Note> notes;
    for (const char letter : letters) {
        if (state.over()) break;
        const auto turn = play(state, {nlohmann::json(std::string(1, letter)).dump()});
        notes.insert(notes.end(), turn.begin(), turn.end());
    }
    return notes;
}

Map random_map(Random& random) {
    Map map;
    map.rows = static_cast<int>(1 + random.below(7));
    map.columns = static_cast<int>((map.rows == 1 ? 6 : 2) + random.below(6));
    const auto asteroids = random.below(40);
    const auto nebulae = random.below(40);
    std::vector<Cell> free;
    for (int row = 0; row < map.rows; ++row) {
        for (int column = 0; column < map.columns; ++column) {
            const auto roll = random.below(100);
            const auto nebula = static_cast<std::int64_t>(1 + random.below(4));
            map.grid.push_back(roll < asteroids ? -1 : roll < asteroids + nebulae ? nebula : 0);
            if (map.grid.back() != -1) free.push_back({row, column});
        }
    }
    for (std::size_t i = free.size(); i > 1; --i) std::swap(free[i - 1], free[random.below(i)]);
    const auto take = [&](Cell& cell) {
        if (free.empty()) return false;
        cell = free.back();
        free.pop_back();
        return true;
    };
    Cell cell;
    if (take(cell)) map.ship = cell;
    for (auto n = 1 + random.below(4); n > 0 && take(cell); --n) {
        map.scraps.push_back({cell, static_cast<std::int64_t>(1 + random.below(20))});
    }
    for (auto n = random.below(5); n > 0 && take(cell); --n) {
        map.ghosts.push_back(random_ghost(random, map, cell));
    }
    map.turns = static_cast<std::int64_t>(1 + random.below(40));
    return map;
}

namespace e7 = engines::e7_planets;

Found search_all_plays(e7::Map map, bool scores) {
    map.ghosts.clear();
    Found found;
    found.earliest_turn.resize(map.scraps.size());
    // Positions of the same key have the same future, so the later one of two is left out. Without
    // scores a scrap is put back at once: then only the ways are searched.
    using Key = std::tuple<std::size_t, std::int64_t, std::vector<std::size_t>>;
    std::set<Key> seen;
    std::vector<e7::Position> now = {e7::initial_position(map)};
    for (std::int64_t turn = 1; turn <= map.turns && !now.empty(); ++turn) {
        std::vector<e7::Position> next;
        for (const auto& position : now) {
            for (const auto move : {e7::Direction::up, e7::Direction::down, e7::Direction::left,
                                    e7::Direction::right, e7::Direction::stay}) {
                auto after = position;
                e7::TurnEvents events;
                e7::play_turn(map, after, move, events);
                found.best_score = std::max(found.best_score, after.score);
                if (events.picked_up) {
                    auto& earliest = found.earliest_turn[*events.picked_up];
                    if (!earliest) earliest = turn;
                    if (!scores) after.scraps_left = e7::initial_position(map).scraps_left;
                }
                const auto wait = std::max<std::int64_t>(after.ship.wait, 0);
                const Key key{map.index(after.ship.cell), wait, after.scraps_left};
                if (!e7::over(after) && seen.insert(key).second) next.push_back(after);
            }
        }
        now = std::move(next);
    }
    return found;
}

}  // namespace tests
