#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/base/result.h"

namespace referee::archives {

struct PackedArchive {
    std::string bytes;  // a zip; the same files give the same bytes
    std::size_t files = 0;
    std::vector<std::string> left_out;  // links, and what systems and version control keep there
};

// All regular files below a folder. An error says what can't be read, or that there is nothing or
// too much: more files than that, or more bytes before they are packed.
base::Result<PackedArchive, std::string> pack(const std::string& folder, std::size_t files_max,
                                              std::uint64_t bytes_max);

}  // namespace referee::archives
