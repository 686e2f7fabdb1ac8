#pragma once

#include "engines/e7_planets/map.h"
#include "tests/engines/conformance/driver.h"

namespace tests {

// A small map crowded with everything at once: for properties, not for play.
engines::e7_planets::Map random_map(Random& random);

}  // namespace tests
