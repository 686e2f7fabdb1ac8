#include <gtest/gtest.h>

#include "engines/walls/walls.h"
#include "tests/engines/conformance/driver.h"

namespace engines::walls {
namespace {

TEST(Golden, Playthroughs) {
    const auto game = make_game({});
    for (const auto* name : {"size_5_greedy", "size_3_full_board", "missing_and_malformed"}) {
        SCOPED_TRACE(name);
        tests::expect_golden(*game, "walls", name);
    }
}

}  // namespace
}  // namespace engines::walls
