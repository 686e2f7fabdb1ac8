#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "referee/contest/formats/format.h"

namespace referee::formats {

// One format after another: each stage takes the best of the one before, in their order, so that
// a knockout is seeded by it. Rounds and matches are counted on.
std::unique_ptr<Schedule> stages(const StagesOptions& options, std::vector<Entry> entries,
                                 std::uint64_t seed);

}  // namespace referee::formats
