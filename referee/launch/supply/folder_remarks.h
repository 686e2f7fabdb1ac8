#pragma once

// What no bot may see, and what there is to say of the folders that bots do see.

#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"

namespace referee::supply {

// A file or folder that no bot may see.
struct Secret {
    std::string what;  // "the store"
    std::string path;
};

// The config, the control socket, the key of TLS, the folder of jobs, and with `out` all that is
// written there.
std::vector<Secret> secrets_of(const config::Config& config, const std::string& out);

// An error names a bot whose "reads" hold a secret.
base::Result<void, std::string> reads_no_secret(const config::Config& config,
                                                const std::vector<Secret>& secrets);

struct FolderRemarks {
    std::vector<std::string> notes;     // how it is
    std::vector<std::string> warnings;  // what gives bots more than they should have
};
// Of the launched bots' folders: what a bot without one sees, whose folders lie within each other,
// whose hold a secret.
FolderRemarks remarks_on_folders(const config::Config& config, const std::vector<Secret>& secrets,
                                 const std::string& search_path);

}  // namespace referee::supply
