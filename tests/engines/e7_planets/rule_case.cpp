#include "tests/engines/e7_planets/rule_case.h"

#include <gtest/gtest.h>

namespace tests {

void expect_rule(const RuleCase& one) {
    const auto state = start(e7_game(), params_of(map_of(one.scene)));
    ASSERT_TRUE(state);
    const auto notes = play_letters(*state, one.moves);
    const auto json = state_json(*state);
    EXPECT_EQ(path_text(json.at("player")), one.ship);
    std::vector<std::string> ghosts;
    for (const auto& ghost : json.at("ghosts")) ghosts.push_back(path_text(ghost));
    EXPECT_EQ(ghosts, one.ghosts);
    EXPECT_EQ(codes(notes), one.codes);
}

}  // namespace tests
