#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "protocol/base/result.h"
#include "referee/launch/program/trouble.h"

namespace referee::program {

// A regular file, as its contents tell it.
struct FileDigest {
    std::string hex;
    bool executable = false;  // by anybody
    std::uint64_t bytes = 0;
};

// Reads files, and remembers what was in them as long as nothing touched them, so that the same
// program is not read again at each launch. Not thread safe.
class FileDigests {
 public:
    // Contents are remembered by a file's place, size and times. A file that was changed twice
    // within a tick of the file system's clock may show the same times, so none is remembered whose
    // last change is not this long ago.
    static constexpr std::int64_t settled_ns = 2'000'000'000;
    // Thirty bots of a thousand files. Then all is forgotten, and read again.
    static constexpr std::size_t remembered_max = 30'000;

    // `path` is opened as it is, never through a link at its end. A file of more than `bytes_max`
    // is trouble.
    base::Result<FileDigest, Trouble> of(const std::string& path, std::uint64_t bytes_max);

 private:
    struct Key {
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        std::uint64_t bytes = 0;
        std::int64_t changed_ns = 0;   // its contents or anything of it: programs can't set this
        std::int64_t modified_ns = 0;  // its contents
        auto operator<=>(const Key&) const = default;
    };
    std::map<Key, std::string> remembered_;
};

}  // namespace referee::program
