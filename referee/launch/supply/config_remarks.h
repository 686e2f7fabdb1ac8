#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/launch/process/launcher.h"
#include "referee/launch/sandbox/tier.h"

// What the instructor is told of a config whose bots are launched: limits that this machine can't
// hold them to, files that they would see, what has changed since the last run.

namespace referee::supply {

// What limits are measured against; 0: not known.
struct LimitingMachine {
    std::uint64_t memory_bytes = 0;
    std::uint64_t processes = 0;  // and threads, that the kernel makes at most
};
LimitingMachine this_machine();

// What holds the limits here.
struct LimitsHeld {
    sandbox::Tier tier = sandbox::Tier::none;
    bool processes = false;  // whether anything bounds how many a bot makes
};

LimitsHeld limits_held_by(const process::Launcher& launcher);

// Of each limit that can't hold: what was found, what it means, what to do.
std::vector<std::string> remarks_on_limits(const config::Config& config, const LimitsHeld& held,
                                           const LimitingMachine& machine);

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

// How a config's launched bots are started is kept beside the store, so that a later run can tell
// where games that count were played by another command. The file is its owner's alone: commands
// may hold secrets. Of variables only the hash of the value is kept, and only the name is told.
inline constexpr const char* launches_file = "launches.json";  // in the folder of a run

// What differs from what was kept there last, a sentence each; then keeps what the config says now.
// Bots that were not there, or that are not there any more, are no change. An error says why the
// file can't be read or written.
base::Result<std::vector<std::string>, std::string> launch_changes(const std::string& folder,
                                                                   const config::Config& config);
// The text of such a file without a bot; nothing where it is none.
std::optional<std::string> launches_without(std::string_view text, std::string_view bot);

}  // namespace referee::supply
