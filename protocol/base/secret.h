#pragma once

#include <cstddef>
#include <string_view>

namespace base {

// Whether two secrets are the same; takes as long for a wrong one as for a right one, so that time
// tells nothing about it.
inline bool same_secret(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^
                                            static_cast<unsigned char>(b[i]));
    }
    return difference == 0;
}

}  // namespace base
