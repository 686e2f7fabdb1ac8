#pragma once

// Archives that strangers made, unpacked into a folder of ours; and packed from one.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/base/result.h"

namespace referee::archives {

// An export of a course: some hundred students with some versions of some dozen files each.
inline constexpr std::size_t export_files_max = 100'000;
inline constexpr std::uint64_t export_bytes_max = std::uint64_t{8} << 30;
// One submission is a program that a student wrote, with a few libraries and maps: more is a
// mistake, such as a build folder that was packed too, or a bomb.
inline constexpr std::size_t submission_files_max = 5000;
inline constexpr std::uint64_t submission_bytes_max = std::uint64_t{256} << 20;
// Entries of one archive that are left out and named; an archive with more is refused as a whole.
inline constexpr std::size_t entries_refused_max = 1000;

// ---- unpack.cpp ---------------------------------------------------------------------------------

// Places that are taken: no two entries have the same one, also where capitals don't count, and no
// file lies where a folder is.
class TakenPlaces {
 public:
    // An error says why the place is taken.
    base::Result<void, std::string> take_file(std::string_view path);
    base::Result<void, std::string> take_folder(std::string_view path);

 private:
    // All that have a '/' behind them.
    base::Result<void, std::string> take_folders_of(std::string_view path);

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
    std::string path;                       // below the folder
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
    std::vector<RefusedEntry> refused;  // at most entries_refused_max
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

// ---- pack.cpp -----------------------------------------------------------------------------------

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
