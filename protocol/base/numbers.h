#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace base {

// The number that a text is and nothing else, as "12"; nothing for any other text, and where the
// type can't hold it.
template <std::integral Number = std::uint64_t>
std::optional<Number> whole_number(std::string_view text) {
    Number number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    return number;
}

// "3 d 4 h", "20 min", "5 s": a length of time in the two largest units that it has.
std::string span_text(std::int64_t seconds);
// "712.5" of 712500, "0.12" of 120, "-3" of -3000: without zeros that tell nothing.
std::string thousandths_text(std::int64_t thousandths);

}  // namespace base
