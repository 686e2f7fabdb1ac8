#include "tests/engines/e7_planets/scene.h"

#include <cctype>

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

}  // namespace tests
