// Whole games as `referee trace` tells them, byte for byte.

#include <gtest/gtest.h>

#include <string>

#include "tests/engines/e7_planets/scene.h"

namespace {

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, IsTracedAsItWas) {
    tests::expect_golden(tests::e7_game(), "e7_planets", GetParam());
}

INSTANTIATE_TEST_SUITE_P(Games, Golden,
                         testing::Values("won_around_the_edges", "caught_by_switch",
                                         "caught_on_the_last_scrap", "nebulae_and_bumps",
                                         "ghosts_of_all_kinds", "five_ghosts", "out_of_turns",
                                         "unfinished"),
                         [](const auto& each) { return each.param; });

}  // namespace
