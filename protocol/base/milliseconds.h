#pragma once

#include <cstdint>
#include <string>

namespace base {

// A length of time in microseconds, as people read it: "1012.345 ms".
inline std::string milliseconds(std::uint64_t us) {
    constexpr std::uint64_t us_per_ms = 1000;
    constexpr std::size_t digits = 3;
    auto fraction = std::to_string(us % us_per_ms);
    fraction.insert(0, digits - fraction.size(), '0');
    return std::to_string(us / us_per_ms) + "." + fraction + " ms";
}

// The same of a difference, which may be below zero: "-0.105 ms".
inline std::string milliseconds(std::int64_t us) {
    const auto size = static_cast<std::uint64_t>(us);
    return us < 0 ? "-" + milliseconds(0 - size) : milliseconds(size);
}

}  // namespace base
