#pragma once

#include <optional>
#include <string>

#include "referee/config/config.h"

namespace referee::cli {

// Reads the config and prints its warnings on standard error. Nothing where it has mistakes; these
// are printed there too.
std::optional<config::Config> read_config(const std::string& file);

}  // namespace referee::cli
