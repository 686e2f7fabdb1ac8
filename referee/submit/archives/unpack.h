#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/result.h"

// Unpacks archives that strangers made into a folder of ours. Nothing of an archive reaches another
// place, is a link, or has more rights than its owner's.

namespace referee::archives {

// Counted while bytes are unpacked: what an archive says of itself is not believed.
struct UnpackLimits {
    std::size_t files_max = 0;  // folders count
    std::uint64_t bytes_max = 0;
};

struct UnpackedFile {
    std::string path;  // below the folder
    std::uint64_t bytes = 0;
    std::optional<std::int64_t> changed_s;  // since 1970; of a zip often in the local time of here
};

// An entry that was left out, and why.
struct RefusedEntry {
    std::string path;    // as far as it can be shown
    std::string reason;  // "is a symbolic link, which could lead anywhere"
};
// "src/x is a symbolic link, ..."
std::string describe(const RefusedEntry& refused);

struct Unpacked {
    std::vector<UnpackedFile> files;    // in the order of their paths
    std::vector<RefusedEntry> refused;  // at most limits::entries_refused_max
    // "a_b: letters of its name that are no text were replaced by _"
    std::vector<std::string> remarks;
};

// Why nothing may be taken of an archive.
struct UnpackError {
    enum class Kind : std::uint8_t {
        unreadable,  // no archive, damaged, or locked by a password
        too_much,    // it came to more than the limits, or is full of what is refused
        trouble,     // the disk is full, the folder can't be written
    };
    Kind kind = Kind::unreadable;
    std::string message;  // follows the archive's name
};

// Requires: the folder is there, and nobody else writes in it. After an error it may have files of
// the archive in it. What some systems add to archives (__MACOSX, .DS_Store) is left out.
base::Result<Unpacked, UnpackError> unpack(const std::string& archive, const std::string& folder,
                                           const UnpackLimits& limits);

}  // namespace referee::archives
