#pragma once

#include <filesystem>
#include <string>

#include "protocol/base/result.h"

namespace referee::cli {

// The folder `sample_bots`, with kits and templates: of the sources where the running program was
// built in them, or of the installed package (share/referee beside bin). An error says where it was
// looked for.
base::Result<std::filesystem::path, std::string> sample_folder();

}  // namespace referee::cli
