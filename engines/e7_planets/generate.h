#pragma once

#include "engines/e7_planets/map.h"
#include "engines/maps.h"
#include "protocol/base/result.h"

namespace engines::e7_planets {

// Rows and columns that a map can be generated with.
inline constexpr std::size_t generated_side_min = 6;
inline constexpr std::size_t generated_side_max = 100;

// A fresh map: "beta" (open space, one scrap within reach without wrapping), "type-1", "type-2"
// (asteroid fields or nebulae, no ghosts) or "type-3" (ghosts besides). A map's type is proven
// to be the one asked for and no narrower, and some score can be had on it (ghosts aside). The
// same request gives the same map on every machine.
base::Result<Map, MapError> generate_map(const GenerateRequest& request);

}  // namespace engines::e7_planets
