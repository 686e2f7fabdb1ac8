#include "protocol/json/in_log.h"

#include <algorithm>

namespace protocol::json {
namespace {

constexpr std::string_view order = "::";
constexpr std::string_view old_order = "##";

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// "##[", "##vso[".
bool begins_old_order(std::string_view rest) {
    if (!rest.starts_with(old_order)) return false;
    rest.remove_prefix(old_order.size());
    const auto* const end = std::find_if_not(rest.begin(), rest.end(), is_letter);
    return end != rest.end() && *end == '[';
}

// Behind a letter, a digit or one of these it is a part of a name.
bool continues_name(char before) {
    return is_letter(before) || (before >= '0' && before <= '9') || before == '_' ||
           before == '>' || before == ':';
}

}  // namespace

std::string in_log(std::string_view lines) {
    std::string escaped;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto rest = lines.substr(i);
        const bool in_name = i > 0 && continues_name(lines[i - 1]);
        if (rest.starts_with(order) && !in_name) escaped += '\\';
        escaped += rest.front();
        if (!begins_old_order(rest)) continue;
        escaped += "# ";
        ++i;
    }
    return escaped;
}

}  // namespace protocol::json
