#pragma once

#include <string>
#include <vector>

namespace referee::kinds {

// Where sample_bots_place() of a program PREFIX/bin/NAME looks for the sample bots, in this order:
// in PREFIX/share/referee, then beside the program and in each folder above it, where the sources
// have them.
std::vector<std::string> sample_bots_places(const std::string& program);

}  // namespace referee::kinds
