#pragma once

#include <gtest/gtest.h>

#include <ostream>
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

// A ship's or ghost's list of locations without the row before the start: "2,3 2,4".
std::string path_text(const nlohmann::json& owner);

const engines::Game& e7_game();

// Plays moves, a letter each, to their end or to the game's.
std::vector<engines::Note> play_letters(engines::State& state, std::string_view letters);

// A picture, moves, and the paths that the ship and the ghosts took.
struct RuleCase {
    std::string name;
    Scene scene;
    std::string moves;
    // Expected.
    std::string ship;
    std::vector<std::string> ghosts;
    std::vector<std::string> codes;

    friend void PrintTo(const RuleCase& one, std::ostream* out) { *out << one.name; }
};

// Its name among the tests.
inline std::string case_name(const testing::TestParamInfo<RuleCase>& each) {
    return each.param.name;
}

// Plays the case and expects what it says.
void expect_rule(const RuleCase& one);

}  // namespace tests
