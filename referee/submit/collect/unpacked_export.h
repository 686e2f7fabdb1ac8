#pragma once

#include <span>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/submit/archives/archives.h"
#include "referee/submit/exports/read_export.h"

namespace referee::collect {

// An archive of submissions, unpacked.
struct UnpackedExport {
    std::string folder;
    // All of its entries; the last `refused.size()` of them were left out.
    std::vector<exports::ExportedFile> files;
    std::vector<archives::RefusedEntry> refused;
    std::vector<std::string> remarks;
    std::string metadata;  // the text of Gradescope's file
};

struct CantRead {
    bool is_trouble = false;  // the machine's; else the archive's
    std::string message;
};

base::Result<UnpackedExport, CantRead> unpack_export(const std::string& archive,
                                                     const std::string& folder);

// What became of one version of a submission.
struct Taken {
    std::string refused;  // why it can't be taken; empty where it can
    std::vector<std::string> remarks;
};

// Puts the files of a version into a folder of its own, which is new. A version that is one
// archive, alone or with documents beside it, is unpacked there; an archive in that one stays what
// it is. An error is the machine's trouble.
base::Result<Taken, std::string> take_files(const UnpackedExport& from,
                                            std::span<const exports::SubmittedFile> files,
                                            const std::string& folder);

}  // namespace referee::collect
