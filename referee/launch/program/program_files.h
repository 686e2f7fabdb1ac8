#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "protocol/base/result.h"

namespace referee::program {

// Why nobody can say which program a bot is.
struct Trouble {
    enum class Kind {
        unreadable,       // a file or folder can't be read
        no_file,          // a socket, a pipe or a device among the files
        too_many_files,   // more than entries_max
        too_many_bytes,   // more than bytes_max
        too_deep,         // folders within folders beyond depth_max
        version_too_slow  // the interpreter did not tell its version in time
    };
    Kind kind = Kind::unreadable;
    std::string message;  // what was found, what was expected, what to do
};

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

    // `path` is opened as it is, never through a link at its end. A file of more than `limit`
    // is trouble.
    base::Result<FileDigest, Trouble> of(const std::string& path, std::uint64_t limit);

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

// A Python program with its packages has a few thousand files; more is a folder that somebody named
// by mistake, such as a home.
inline constexpr std::size_t entries_max = 20'000;
// A virtual machine's classes, or a table of openings. It takes a second or two to read.
inline constexpr std::uint64_t bytes_max = std::uint64_t{512} << 20;
// Folders within folders. Each is looked through with another open one.
inline constexpr std::size_t depth_max = 64;

// What stands in a folder, without what is in the files.
struct FolderEntry {
    enum class Kind { folder, file, link };
    std::string path;  // from the folder on, "lib/moves.py"
    Kind kind = Kind::file;
    std::string target{};  // of a link, as it is written
};

// All that is below a folder, sorted by the bytes of the paths. Links are not followed; only the
// folder itself may be reached through one.
base::Result<std::vector<FolderEntry>, Trouble> folder_contents(const std::string& folder);

}  // namespace referee::program
