#pragma once

#include <string>

// Paths as texts: nothing is looked up.

namespace referee::config {

// The path as seen from the folder, without "." and ".." and without a slash at its end.
std::string absolute_path(const std::string& folder, const std::string& path);

// Whether the path is the folder itself or lies anywhere below it. Both are absolute.
bool lies_in(const std::string& path, const std::string& folder);

}  // namespace referee::config
