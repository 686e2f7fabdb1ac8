#include <gtest/gtest.h>

#include "engines/snake_labyrinth/snake_labyrinth.h"
#include "tests/engines/conformance/driver.h"

namespace {

class Golden : public testing::TestWithParam<const char*> {};

TEST_P(Golden, TraceIsTheSame) {
    const auto game = engines::snake_labyrinth::make_game({});
    tests::expect_golden(*game, "snake_labyrinth", GetParam());
}

INSTANTIATE_TEST_SUITE_P(SnakeLabyrinth, Golden,
                         testing::Values("handout_plan", "handout_steps", "tiny", "dead_end",
                                         "round", "drills", "void", "limit", "no_body",
                                         "unfinished"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
