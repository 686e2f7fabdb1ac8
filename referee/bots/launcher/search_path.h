#pragma once

#include <string>

namespace referee::launcher {

// The folders in which launched programs are looked for: the referee's own, its libexec, the PATH.
std::string program_search_path();

}  // namespace referee::launcher
