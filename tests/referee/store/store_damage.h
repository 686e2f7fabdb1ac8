#pragma once

#include <string>
#include <vector>

#include "protocol/base/split_mix.h"

// Damaged copies of a store's files: what disks, memory and people do to them.

namespace tests {

struct FileDamage {
    std::string file;  // the path
    std::string what;  // "bit 3 of byte 77 is flipped": for messages
};

// Damages one of the files that are there: a bit is flipped, bytes are overwritten, the end is cut
// off, a page is zeroed, torn or exchanged with another one. The lots alone decide which.
FileDamage damage_one(const std::vector<std::string>& files, base::SplitMix& lots);

}  // namespace tests
