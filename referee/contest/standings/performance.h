#pragma once

#include <cstdint>

namespace referee::standings {

// FIDE's table of rating differences (B.02): by how much somebody who scores so many per cent is
// stronger. Requires: 0 <= percent <= 100.
std::int32_t rating_difference(std::int32_t percent);

}  // namespace referee::standings
