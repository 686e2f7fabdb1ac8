#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace referee::cli {

// The answer to `ctl machines` as people read it. `width`: the terminal's columns; 0: any.
std::string machines_text(const nlohmann::json& answer, std::size_t width);

}  // namespace referee::cli
