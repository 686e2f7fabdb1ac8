#pragma once

#include <cstddef>

namespace referee::pairing {

// Vertices are counted by int, as in the literature on matchings; this is where one lies in a
// vector.
inline std::size_t at(int v) {
    return static_cast<std::size_t>(v);
}

}  // namespace referee::pairing
