#include <gtest/gtest.h>

#include "tests/referee/config/mistake.h"

// Bad configs: who must not meet, and seats that are not balanced.

namespace referee::config {
namespace {

TEST(ConfigMistakesTest, InWishesOfASwiss) {
    check(
        R"({"bots": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}],)"
        R"("tournaments": [{"id": "t", "game": "walls",)",
        {
            {R"("format": {"kind": "round_robin", "forbidden_pairs": [["a", "b"]]})",
             "tournaments[0].format.forbidden_pairs", "only a format of kind \"swiss\" has it"},
            {R"("format": {"kind": "knockout", "colours": false})", "tournaments[0].format.colours",
             "only a format of kind \"swiss\" has it"},
            {R"("format": {"kind": "swiss", "forbidden_pairs": ["a"]})",
             "tournaments[0].format.forbidden_pairs[0]", "such as [\"alice\", \"bob\"]"},
            {R"("format": {"kind": "swiss", "forbidden_pairs": [["a"]]})",
             "tournaments[0].format.forbidden_pairs[0]", "such as [\"alice\", \"bob\"]"},
            {R"("format": {"kind": "swiss", "forbidden_pairs": [["a", "a"]]})",
             "tournaments[0].format.forbidden_pairs[0]", "two different bots"},
            {R"("format": {"kind": "swiss", "forbidden_pairs": [["a", "x"]]})",
             "tournaments[0].format.forbidden_pairs", "\"x\" is not one of the tournament's bots"},
            {R"("format": {"kind": "swiss", "forbidden_pairs": [{"bots": ["a", "b"], "round": 2}]})",
             "tournaments[0].format.forbidden_pairs[0].round", "first_round"},
            {R"("format": {"kind": "swiss", "forbidden_pairs": [{"bots": ["a", "b"], "first_round": 9}]})",
             "tournaments[0].format.forbidden_pairs[0]", "there are 3"},
        },
        "}]}");
}

}  // namespace
}  // namespace referee::config
