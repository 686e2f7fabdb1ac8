#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "protocol/json/text.h"

namespace engines {

// What a person typed, without the blanks around it.
inline std::string_view trimmed(std::string_view line) {
    constexpr std::string_view blank = " \t\r\n";
    const auto begin = line.find_first_not_of(blank);
    if (begin == std::string_view::npos) return {};
    return line.substr(begin, line.find_last_not_of(blank) - begin + 1);
}

// What was expected of a person, and what was typed instead.
inline std::string typed_instead(std::string_view expected, std::string_view line) {
    constexpr std::size_t told_bytes_max = 40;  // more of a line helps nobody
    const auto word = trimmed(line);
    std::string text = "expected ";
    text += expected;
    if (word.empty()) return text + ", and nothing was typed";
    text += ", found '" + protocol::json::visible_line(word.substr(0, told_bytes_max)) + "'";
    return word.size() > told_bytes_max ? text + " and more" : text;
}

// "1 turn", "3 turns".
template <std::integral Many>
std::string counted(Many many, std::string_view noun) {
    return std::to_string(many) + ' ' + std::string(noun) + (many == 1 ? "" : "s");
}

}  // namespace engines
