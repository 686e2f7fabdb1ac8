#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace referee::cli {

struct CtlView {
    std::size_t width = 0;  // of the terminal, which tables follow; 0: as wide as they are
    bool verbose = false;   // of `status`: what tells how the machine serves the daemon, too
    bool network = false;   // of `bots`: their connections instead of how they stand
};

// A daemon's answer to a command, as text for people.
std::string ctl_report(const std::string& command, const nlohmann::json& answer,
                       const CtlView& view = {});

// ---- machines_text.cpp --------------------------------------------------------------------------

// The answer to `ctl machines` as people read it. `width`: the terminal's columns; 0: any.
std::string machines_text(const nlohmann::json& answer, std::size_t width);

}  // namespace referee::cli
