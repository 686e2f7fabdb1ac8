#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace referee::cli {

// What somebody may have meant who typed a command or an option that isn't there: "did you mean
// `referee play`?"; empty where nothing is near. `arguments` are those behind the program's name.
std::string suggestion_for(const CLI::App& program, const std::vector<std::string>& arguments);

}  // namespace referee::cli
