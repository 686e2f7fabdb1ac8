#include <gtest/gtest.h>

#include "tests/engines/conformance/driver.h"
#include "tests/engines/snake_labyrinth/game.h"

namespace {

class Golden : public testing::TestWithParam<const char*> {};

TEST_P(Golden, TraceIsTheSame) {
    tests::expect_golden(*tests::snake_game, "snake_labyrinth", GetParam());
}

INSTANTIATE_TEST_SUITE_P(SnakeLabyrinth, Golden,
                         testing::Values("handout_plan", "handout_steps", "tiny", "dead_end",
                                         "round", "drills", "void", "limit", "no_body",
                                         "unfinished"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
