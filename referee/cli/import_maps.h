#pragma once

#include <string>
#include <vector>

#include "protocol/base/result.h"

namespace referee::cli {

struct ImportedMap {
    std::string name;
    std::string text;   // JSON, not examined yet
    std::string wrong;  // why there is none
};

struct ImportedMaps {
    std::vector<ImportedMap> maps;
    std::string version;  // that the file says; empty: none
};

// What went wrong as a whole: what was expected, and what to do.
struct ImportError {
    std::string message;
    bool of_machine = false;  // and not of the file
};

// The maps in a .mat file of the E7 course, read by Octave in a sandbox of the machine's best tier.
// Blocks until that has ended, a minute at most.
base::Result<ImportedMaps, ImportError> import_maps(const std::string& file);

}  // namespace referee::cli
