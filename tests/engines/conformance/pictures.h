#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace tests {

// The columns that the widest line of a text takes; a character of several bytes takes one.
inline std::size_t widest_line(std::string_view text) {
    constexpr unsigned char continuation_mask = 0xC0;
    constexpr unsigned char continuation = 0x80;
    std::size_t widest = 0;
    std::size_t width = 0;
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) & continuation_mask) == continuation) continue;
        width = c == '\n' ? 0 : width + 1;
        widest = std::max(widest, width);
    }
    return widest;
}

}  // namespace tests
