#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What texts are made of beside fmt::format, which makes sentences with names and numbers in them.

namespace base {

// The name that somebody may have meant who typed `name`: the one that the fewest slips lead to,
// the first of several; empty where more than two slips, or more than a third of its letters, lead
// to each. A slip is a byte too many, too few, another one, or two that have changed places.
std::string nearest(std::string_view name, const std::vector<std::string>& known);

// `; did you mean "ann"?`, as a message goes on: `near` is what nearest() found. Empty where it
// found nothing. By name: finds it.
std::string did_you_mean(const std::string& near);
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

// The text as one word of a shell's command line: as it is where a shell leaves it alone, in single
// quotes otherwise. So a command that a message shows can be copied whatever a name has in it.
std::string shell_word(std::string_view text);

// A command's words, as a shell splits the text; a text that needs more of a shell is given to one.
std::vector<std::string> command_of(const std::string& text);

// "1 match", "3 matches".
template <std::integral Count>
std::string counted(Count count, std::string_view one, std::string_view several) {
    return fmt::format("{} {}", count, count == 1 ? one : several);
}

// The same of a noun whose plural ends in s: "1 game", "3 games".
template <std::integral Count>
std::string counted(Count count, std::string_view noun) {
    return counted(count, noun, std::string(noun) + 's');
}

// The texts, one behind the other, with `between` between them: "a, b". Each element of the range
// is a text, or `text_of` makes one of it. Behind empty ones at the beginning nothing stands.
template <typename Range, typename TextOf = std::identity>
std::string joined(const Range& range, std::string_view between = ", ", TextOf text_of = {}) {
    std::string all;
    for (const auto& element : range) {
        if (!all.empty()) all += between;
        all += std::invoke(text_of, element);
    }
    return all;
}

// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& texts);
// The same in a line that shows a few names: "ann, bob, ... and 3 more".
std::string names_in(const std::vector<std::string>& names);

// As joined(), of `most` elements at the most: "a, b and 3 more".
template <typename Range, typename TextOf = std::identity>
std::string first_of(const Range& range, std::size_t most, TextOf text_of = {}) {
    const std::span all(range);
    if (all.size() <= most) return joined(all, ", ", text_of);
    return fmt::format("{} and {} more", joined(all.first(most), ", ", text_of), all.size() - most);
}

// The line that the text begins with, less its line feed. Both are taken off the text.
inline std::string_view next_line(std::string_view& rest) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    return line;
}

// The last line with more in it than blanks, less the blanks at its end; empty where there is none.
inline std::string_view last_line(std::string_view text) {
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    return text.substr(text.rfind('\n') + 1);
}

// What stands between the separators, empty parts too: one more than there are separators.
std::vector<std::string_view> split(std::string_view text, char separator);

// Without the blanks around it.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t");

// Of ASCII, whatever language the machine speaks.
constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
inline constexpr std::string_view hex_digits = "0123456789abcdef";
// So many hexadecimal digits, with small letters.
inline bool is_hex(std::string_view text, std::size_t digits) {
    return text.size() == digits && text.find_first_not_of(hex_digits) == text.npos;
}
// Of what ids are made: letters, digits, - and _.
constexpr bool is_of_id(char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '_';
}
// Of what names are made that are one word, the bytes of letters beyond ASCII included.
constexpr bool is_of_word(char c) {
    constexpr unsigned char ascii_end = 0x80;
    return static_cast<unsigned char>(c) >= ascii_end || is_of_id(c);
}
// Capitals of ASCII become small; all else stays.
constexpr char small(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
inline std::string small(std::string text) {
    for (char& c : text) c = small(c);
    return text;
}

// In double quotes, as it is: for names in messages.
std::string quoted(std::string_view text);

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
