#pragma once

#include <string_view>

namespace bench {

// What stands behind `name`, such as "\"type\":", in a line of the protocol: a text without its
// quotes, or a number; empty where there is no such name. For lines that the referee writes and for
// bots that must not take time: it knows no nesting and no escapes.
inline std::string_view member(std::string_view line, std::string_view name) {
    const auto at = line.find(name);
    if (at == std::string_view::npos) return {};
    auto rest = line.substr(at + name.size());
    if (rest.starts_with('"')) {
        rest.remove_prefix(1);
        return rest.substr(0, rest.find('"'));
    }
    return rest.substr(0, rest.find_first_of(",}"));
}

}  // namespace bench
