#include "referee/contest/standings/performance.h"

#include <array>
#include <cstddef>

#include "protocol/base/assertion.h"

namespace referee::standings {

namespace {

constexpr std::int32_t level_percent = 50;

// From 50 to 100 per cent; the other half is its mirror image.
constexpr std::array<std::int16_t, 51> differences{
    0,   7,   14,  21,  29,  36,  43,  50,  57,  65,  72,  80,  87,  95,  102, 110, 117,
    125, 133, 141, 149, 158, 166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273,
    284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800};

}  // namespace

std::int32_t rating_difference(std::int32_t percent) {
    REFEREE_ASSERT(percent >= 0 && percent <= 100);
    if (percent >= level_percent) return differences[static_cast<std::size_t>(percent - 50)];
    return -differences[static_cast<std::size_t>(level_percent - percent)];
}

}  // namespace referee::standings
