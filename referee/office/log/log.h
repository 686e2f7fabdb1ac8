#pragma once

#include <spdlog/spdlog.h>

#include <optional>
#include <string>

// The log: to standard error, as lines or as JSON lines. Nothing on a turn's path logs above debug
// level.

namespace referee::log {

using spdlog::debug;
using spdlog::error;
using spdlog::info;
using spdlog::warn;

struct LogOptions {
    std::string level = "warn";  // trace, debug, info, warn, error, off
    bool json = false;           // one JSON object a line
};

// Once, at the start of the program. What is wrong with the options, if anything.
std::optional<std::string> start(const LogOptions& options);

// Later; requires one of the names.
void set_level(const std::string& level);

}  // namespace referee::log
