#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/launch/program/trouble.h"

namespace referee::program {

// A Python program with its packages has a few thousand files; more is a folder that somebody named
// by mistake, such as a home.
inline constexpr std::size_t entries_max = 20'000;
// A virtual machine's classes, or a table of openings. It takes a second or two to read.
inline constexpr std::uint64_t bytes_max = std::uint64_t{512} << 20;
// Folders within folders. Each is walked through with another open one.
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
