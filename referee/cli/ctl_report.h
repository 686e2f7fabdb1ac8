#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace referee::cli {

// A daemon's answer to a command, as text for people. `width`: of their terminal, which tables
// follow; 0: as wide as they are.
std::string ctl_report(const std::string& command, const nlohmann::json& answer,
                       std::size_t width = 0);

// The answer to `ctl machines` as people read it. `width`: the terminal's columns; 0: any.
std::string machines_text(const nlohmann::json& answer, std::size_t width);

}  // namespace referee::cli
