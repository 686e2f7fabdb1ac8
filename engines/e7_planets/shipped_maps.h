#pragma once

#include <span>
#include <string_view>

namespace engines::e7_planets {

// The maps that ship with the game: the files of maps/, in the order of maps/index.txt, built
// into the program.
struct ShippedMap {
    std::string_view name;
    std::string_view text;
};

std::span<const ShippedMap> shipped_maps();

// A shipped map that changes, comes or goes changes this too: 'release', 'revision01', ...
// (a test compares the files with a checksum that stands beside each version).
inline constexpr std::string_view maps_version = "release";

}  // namespace engines::e7_planets
