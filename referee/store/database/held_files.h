#pragma once

#include <optional>
#include <string>
#include <vector>

#include "referee/files/descriptor.h"

namespace referee::store {

// Notices that the files of a store which is in use lost their names: what is written then goes
// where nobody will find it.
class HeldFiles {
 public:
    // The store's file and its log, as they are now. Requires: both are there.
    explicit HeldFiles(const std::string& path);

    // "out/referee.db-wal was removed or renamed while it is in use"; nothing where all is well.
    std::optional<std::string> fault() const;

 private:
    struct Held {
        std::string name;
        files::Descriptor file;  // for its place alone: closing it drops none of SQLite's locks
    };
    std::vector<Held> files_;
};

}  // namespace referee::store
