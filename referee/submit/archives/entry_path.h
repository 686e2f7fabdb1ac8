#pragma once

#include <set>
#include <string>
#include <string_view>

#include "protocol/base/result.h"

// The name of an entry of an archive, which a stranger wrote, and the place in our folder that it
// may have.

namespace referee::archives {

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

}  // namespace referee::archives
