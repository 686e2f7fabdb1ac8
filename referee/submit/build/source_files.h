#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "protocol/base/sha256.h"

// The files below a folder of ours.

namespace referee::build {

struct SourceFile {
    std::string path;  // below the folder
    bool executable = false;
    std::uint64_t bytes = 0;
};

// All regular files below it, in the order of their paths; no link is followed. Empty where the
// folder can't be read.
std::vector<SourceFile> files_below(const std::string& folder);

// What all of them hold and how they are named, in hexadecimal digits. An error names the file that
// can't be read.
base::Result<std::string, std::string> digest_of(const std::string& folder,
                                                 const std::vector<SourceFile>& files);

// The folder below `folder` in which a submission really begins: students pack a folder in which
// there is nothing but a folder. Empty: the folder itself.
std::string beginning_in(const std::vector<SourceFile>& files);

}  // namespace referee::build
