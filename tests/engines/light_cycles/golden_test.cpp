#include <gtest/gtest.h>

#include "engines/light_cycles/light_cycles.h"
#include "tests/engines/conformance/driver.h"

namespace engines::light_cycles {
namespace {

TEST(Golden, Playthroughs) {
    const auto game = make_game({});
    for (const auto* name : {"contests", "over_the_mean", "straight_on"}) {
        SCOPED_TRACE(name);
        tests::expect_golden(*game, "light_cycles", name);
    }
}

}  // namespace
}  // namespace engines::light_cycles
