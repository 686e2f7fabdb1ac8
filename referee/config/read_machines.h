#pragma once

#include <string>

#include "referee/config/config.h"
#include "referee/config/fields.h"

namespace referee::config {

// "machines": whether other machines play matches, and how these get there. All else is read.
void read_machines(json::Reader& root, const std::string& directory, Config& config);

}  // namespace referee::config
