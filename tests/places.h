#pragma once

#include <string>

// Where the sources and the programs of this build are. Only places.cpp is compiled with these
// paths: so all other test files compile to the same in every checkout.
namespace tests {

const std::string& source_root();
const std::string& binary_root();

}  // namespace tests
