#pragma once

#include <string>
#include <vector>

namespace referee::scheduler {

// "ann, bob and eve"; of many the first few, and how many more there are.
std::string names_in(const std::vector<std::string>& bots);

}  // namespace referee::scheduler
