#pragma once

#include <string>

namespace referee::process {

// The folders in which launched programs are looked for: the referee's own, its libexec, the PATH.
// Before a folder of scripts that stand for programs come those of the programs themselves.
std::string program_search_path();

// Where the program of a command is found: by its path as seen from the working directory (empty:
// the referee's own), or, without a slash, in the search path. Empty where it isn't there.
std::string program_file(const std::string& program, const std::string& working_directory,
                         const std::string& search_path);

}  // namespace referee::process
