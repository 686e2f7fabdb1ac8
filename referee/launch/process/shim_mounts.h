#pragma once

// What the shim does with mounts: as root, before the bot's user takes over, and inside a sandbox.

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace referee::process {

// Shows each source to another user at staged_path(), whatever folders lie above it and whoever may
// read it: only this process and its children see that. What the user couldn't read is shown as if
// its owner were that user. Requires root. Returns 0 or an errno.
int stage_sources(const std::vector<std::string>& sources, uid_t uid, gid_t gid);

// Inside: puts one empty folder to write in over /tmp and /dev/shm, of so many bytes. What is shown
// below them stays, and `working_directory` is made where it lies there. Requires the right to
// mount. Returns 0 or an errno.
int mount_work_folders(std::uint64_t bytes, const std::vector<std::string>& places,
                       const std::string& working_directory);

}  // namespace referee::process
