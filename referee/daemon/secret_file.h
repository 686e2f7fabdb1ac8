#pragma once

#include <string>

#include "protocol/base/result.h"

namespace referee::daemon {

// The secret that a file has, which only its owner may read (mode 0600); where there is no such
// file, it is made with a new one. An error says what is wrong with the file.
base::Result<std::string, std::string> secret_in(const std::string& file);

}  // namespace referee::daemon
