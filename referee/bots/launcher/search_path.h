#pragma once

#include <string>

namespace referee::launcher {

// Where launched programs are looked for: beside the referee, in its libexec folder, in the PATH.
std::string program_search_path();

}  // namespace referee::launcher
