#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/e7_planets/e7_planets.h"
#include "engines/e7_planets/map.h"
#include "tests/engines/conformance/driver.h"
#include "tests/json.h"

// Small positions for tests, written as pictures.

namespace tests {

// '@' is the ship, '$' a scrap of value 5, '#' an asteroid field, a digit a nebula, '.' empty
// space; 'a', 'b', ... are the ghosts, of which `ghosts` tells the kind: "b0R" is back and forth
// of transparency 0, heading right; "t2" is toward the player of transparency 2.
struct Scene {
    std::vector<std::string> picture;
    std::vector<std::string> ghosts;
    // Nebulae below a ship, scrap or ghost: {row, column, value}, counted from 1.
    std::vector<std::vector<int>> under;
    int turns = 50;
};

inline constexpr int scene_scrap_value = 5;

engines::e7_planets::Map map_of(const Scene& scene);
// {"map": {...}}
std::string params_of(const engines::e7_planets::Map& map);

const engines::Game& e7_game();

// Plays moves, a letter each, to their end or to the game's.
std::vector<engines::Note> play_letters(engines::State& state, std::string_view letters);

// A small map crowded with everything at once: for properties, not for play.
engines::e7_planets::Map random_map(Random& random);

// What plain search through all plays of a map finds when its ghosts are taken away: slow, and
// sharing nothing with the engine's own way of working it out but the rules.
struct Found {
    std::int64_t best_score = 0;
    std::vector<std::optional<std::int64_t>> earliest_turn;  // of each scrap
};

// With up to four scraps or so, best_score as well; with more leave `scores` false.
Found search_all_plays(engines::e7_planets::Map map, bool scores);

}  // namespace tests
