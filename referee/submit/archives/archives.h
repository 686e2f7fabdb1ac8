#pragma once

// Archives: what one holds and how its entries are called, which a stranger wrote; unpacked into a
// folder of ours, and packed from one.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"

struct archive;

namespace referee::archives {

enum class EntryKind : std::uint8_t { file, folder, symbolic_link, hard_link, device, encrypted };

struct ArchiveEntry {
    std::string name;  // any bytes
    EntryKind kind = EntryKind::file;
    bool executable = false;
    std::optional<std::int64_t> changed_s;  // since 1970
};

class ArchiveReader {
 public:
    // An error says why, to stand behind the archive's name: "is no archive that can be read".
    static base::Result<ArchiveReader, std::string> open(const std::string& file);

    // The next entry; nothing at the end.
    base::Result<std::optional<ArchiveEntry>, std::string> next();
    // What comes next of the entry's bytes; 0 at its end.
    base::Result<std::size_t, std::string> read(std::span<char> into);

 private:
    struct Closer {
        void operator()(archive* reader) const;
    };
    using Handle = std::unique_ptr<archive, Closer>;
    explicit ArchiveReader(Handle handle) : handle_(std::move(handle)) {}

    Handle handle_;
};

// A place below our folder: never outside of it, and good for any file system.
struct SafePath {
    std::string path;      // "src/main.c"
    bool changed = false;  // letters that are no text have become `_`
};
// Why an entry can't have the place that it asks for, to stand behind its name: "leads out of its
// folder".
base::Result<SafePath, std::string> safe_path(std::string_view name);

// Places that are taken: no two entries have the same one, also where capitals don't count, and no
// file lies where a folder is.
class TakenPlaces {
 public:
    // An error says why the place is taken.
    base::Result<void, std::string> take_file(std::string_view path);
    base::Result<void, std::string> take_folder(std::string_view path);

 private:
    base::Result<void, std::string> take_folders_above(std::string_view path);
    base::Result<void, std::string> take_folder_as_written(std::string path);

    // The second of each: as it was written.
    std::set<std::pair<std::string, std::string>> files_;
    std::set<std::pair<std::string, std::string>> folders_;
};

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

// Unpacks an archive that a stranger made into a folder of ours. Nothing of it reaches another
// place, is a link, or has more rights than its owner's.
// Requires: the folder is there, and nobody else writes in it. After an error it may have files of
// the archive in it. What some systems add to archives (__MACOSX, .DS_Store) is left out.
base::Result<Unpacked, UnpackError> unpack(const std::string& archive, const std::string& folder,
                                           const UnpackLimits& limits);

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
