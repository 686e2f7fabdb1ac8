#pragma once

#include <span>
#include <string>
#include <string_view>

#include "protocol/codes.h"

namespace tests::sim {

// Lines that are not valid messages, one of each kind, and the errors that answer them.
struct BadLine {
    std::string_view name;
    std::string line;  // without its end
    protocol::ErrorCode code;
    std::string_view member;  // the member that the error names; empty: none

    friend void PrintTo(const BadLine& bad, std::ostream* out) { *out << bad.name; }
};

std::span<const BadLine> bad_lines();

}  // namespace tests::sim
