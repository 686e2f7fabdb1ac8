#include "referee/launch/supply/repeated_words.h"

#include <utility>

namespace referee::supply {

std::string RepeatedWords::once(const std::string& what, const std::string& details) {
    const auto whole = what + details;
    if (std::exchange(last_, whole) != whole) return whole;
    return details.empty() ? what : what + ", the same as before";
}

}  // namespace referee::supply
