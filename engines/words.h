#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace engines {

// "1 turn", "3 turns".
template <std::integral Many>
std::string counted(Many many, std::string_view noun) {
    return std::to_string(many) + ' ' + std::string(noun) + (many == 1 ? "" : "s");
}

}  // namespace engines
