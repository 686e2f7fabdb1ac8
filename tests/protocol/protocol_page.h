#pragma once

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/places.h"

// The code blocks of PROTOCOL.md, which the tests hold the page to.

namespace protocol::testing {

// The lines inside all fenced blocks of that kind ("json", "netcat", "python").
inline std::vector<std::string> page_lines(std::string_view kind) {
    std::ifstream page(tests::source_root() + "/protocol/PROTOCOL.md");
    std::vector<std::string> lines;
    std::string line;
    bool inside = false;
    while (std::getline(page, line)) {
        if (line.starts_with("```")) {
            inside = !inside && line.substr(3) == kind;
        } else if (inside) {
            lines.push_back(line);
        }
    }
    return lines;
}

}  // namespace protocol::testing
