#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace referee::cli {

// A daemon's answer to a command, as text for people.
std::string ctl_report(const std::string& command, const nlohmann::json& answer);

}  // namespace referee::cli
