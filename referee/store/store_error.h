#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

// Why a store can't be opened, read or written, in words for people.

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

// The same, thrown inside this room.
class StoreFailure : public std::runtime_error {
 public:
    StoreFailure(StoreTrouble trouble, const std::string& message)
        : std::runtime_error(message), trouble_(trouble) {}

    StoreError error() const { return {trouble_, what()}; }

 private:
    StoreTrouble trouble_;
};

}  // namespace referee::store
