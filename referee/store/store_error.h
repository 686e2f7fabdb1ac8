#pragma once

#include <cstdint>
#include <string>

namespace referee::store {

enum class StoreTrouble : std::uint8_t {
    missing,        // there is no such file, and none is to be made
    exists,         // a new one was to be made, and the file exists
    foreign,        // not a store of the referee's
    other_version,  // a store that another version of the program made
    permissions,    // too wide, or we may not write
    in_use,         // used by another process
    disk_full,
    corrupt,
    dropped,      // a replay that was dropped to keep the store within its bound
    bad_archive,  // a line of an archive is not as it should be
    io,           // anything else that the machine refuses
};

struct StoreError {
    StoreTrouble trouble;
    std::string message;  // one or two sentences: what is wrong with which file, and what to do
};

}  // namespace referee::store
