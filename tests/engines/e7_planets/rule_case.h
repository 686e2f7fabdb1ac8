#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "tests/engines/e7_planets/scene.h"

namespace tests {

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
