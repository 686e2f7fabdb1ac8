#pragma once

#include <string>

#include "tests/engines/conformance/driver.h"

// Damaged copies of good files, for tests of those who read them: a reader refuses with a message,
// or makes something sane of it. Which damage is done depends on the lots alone.

namespace tests {

// One JSON value with a member dropped, doubled or renamed, or a value that nobody expects. Text
// that is no JSON is cut or garbled.
std::string damaged_json(const std::string& text, Random& lots);

// Lines, most of them JSON: the same in one of them, or lines lost, doubled, exchanged, cut off.
std::string damaged_lines(const std::string& text, Random& lots);

}  // namespace tests
