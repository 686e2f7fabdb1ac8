#pragma once

#include <optional>
#include <string>

#include "referee/config/config.h"

namespace referee::cli {

// The config, with its warnings told on standard error; nothing where it has mistakes, which are
// told there too.
std::optional<config::Config> read_config(const std::string& file);

// As a shell reads it.
std::string shell_quoted(const std::string& text);

}  // namespace referee::cli
