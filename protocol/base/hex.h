#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace base {

inline constexpr std::string_view hex_digits = "0123456789abcdef";
inline constexpr unsigned bits_of_hex_digit = 4;

// Two small hexadecimal digits a byte.
inline std::string hex_of(std::span<const unsigned char> bytes) {
    constexpr unsigned digit_mask = (1U << bits_of_hex_digit) - 1;
    std::string text;
    for (const auto byte : bytes) {
        text += hex_digits[byte >> bits_of_hex_digit];
        text += hex_digits[byte & digit_mask];
    }
    return text;
}

}  // namespace base
