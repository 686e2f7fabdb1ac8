#pragma once

#include <string>

#include "tests/engines/conformance/driver.h"

// Damaged copies of good files, for tests of readers. A reader must refuse such a file with a
// message, or read something sensible from it. The lots alone decide which damage is done.

namespace tests {

// One JSON value with a member dropped, doubled or renamed, or with a value that nobody expects.
// Text that is not JSON is cut or garbled.
std::string damaged_json(const std::string& text, Random& lots);

// Lines, most of them JSON: one of them is damaged in that way, or lines are lost, doubled,
// exchanged or cut off.
std::string damaged_lines(const std::string& text, Random& lots);

}  // namespace tests
