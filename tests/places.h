#pragma once

#include <string>

// Where this build's sources and programs stand. Only places.cpp is compiled with these paths, so
// that all other test files compile alike in every checkout.
namespace tests {

const std::string& source_root();
const std::string& binary_root();

}  // namespace tests
