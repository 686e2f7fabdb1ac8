#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace base {

// The name that somebody may have meant who typed `name`: the one that the fewest slips lead to,
// the first of several; empty where more than two slips, or more than a third of its letters, lead
// to each. A slip is a byte too many, too few, another one, or two that have changed places.
std::string nearest(std::string_view name, const std::vector<std::string>& known);

// The text as one word of a shell's command line: as it is where a shell leaves it alone, in single
// quotes otherwise. So a command that a message shows can be copied whatever a name has in it.
std::string shell_word(std::string_view text);

// "1 match", "3 matches".
template <std::integral Count>
std::string counted(Count count, std::string_view one, std::string_view several) {
    return std::to_string(count).append(" ").append(count == 1 ? one : several);
}

// The same of a noun whose plural ends in s: "1 game", "3 games".
template <std::integral Count>
std::string counted(Count count, std::string_view noun) {
    return counted(count, noun, std::string(noun) + 's');
}

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
