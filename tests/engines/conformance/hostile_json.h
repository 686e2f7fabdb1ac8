#pragma once

#include <string>

#include "tests/engines/conformance/driver.h"

namespace tests {

// Any JSON value, as text: often of a type that nobody expects.
std::string random_json(Random& random);

// The value with a few of its parts replaced, dropped, doubled or added.
std::string mutated(Random& random, const std::string& json_text);

}  // namespace tests
