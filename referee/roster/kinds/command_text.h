#pragma once

#include <string>
#include <vector>

namespace referee::kinds {

// Splits a text into words as a shell does; a text that needs more than that is given to a shell.
std::vector<std::string> command_of(const std::string& text);

}  // namespace referee::kinds
