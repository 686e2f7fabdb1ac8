#pragma once

#include <cstddef>
#include <vector>

#include "engines/game.h"
#include "tests/sim/run_plan.h"

namespace tests::sim {

// One of these kinds, with options under which a run stays short.
referee::formats::FormatOptions draw_options(Random& random,
                                             const std::vector<referee::formats::FormatKind>& kinds,
                                             std::size_t seats, const engines::Game& game);

// Whether the plan's bots can play the format.
bool fits(const referee::formats::FormatConfig& format, const RunPlan& plan,
          const engines::Game& game);

}  // namespace tests::sim
