#pragma once

#include <cstdint>
#include <optional>

#include "referee/contest/formats/format.h"

namespace referee::formats {

// How many rounds a tournament of so many entrants has, where its format says so beforehand: a
// Swiss, a knockout, and a round robin for two.
std::optional<std::uint32_t> planned_rounds(const FormatConfig& config, std::size_t entrants);

}  // namespace referee::formats
