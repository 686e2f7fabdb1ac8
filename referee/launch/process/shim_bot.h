#pragma once

// The bot's side of the exec shim: what happens between the fork and the command.

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "referee/launch/process/shim_spec.h"

namespace referee::process {

// What the child writes into the error pipe when it fails. If the pipe ends without a word, the
// command runs.
struct ShimFailure {
    LaunchStage stage = LaunchStage::execute;
    std::int32_t error = 0;
};

// How many files the bot writes itself into to enter its sandbox's group, or its own.
int joins_of(const ShimSpec& spec);

// Turns this process, which was just forked, into the bot. Requires: it has one thread, descriptors
// 0 to 2 are the bot's, and all others close on exec. Never returns.
[[noreturn]] void become_bot(const ShimSpec& spec, pid_t supervisor, int error_pipe);

// Gives up the bot's own descriptors 0 to 2, in the processes that only watch it.
void leave_standard_descriptors();

// The shim as the first process inside a sandbox with namespaces: makes what only can be made
// there, starts the bot, tells how it ended, and reaps all that is left to it. Requires: this
// process has one thread and the descriptors of shim_spec.h. Returns the exit status when nothing
// of the bot is left.
int run_inside(const ShimSpec& spec);

// ---- shim_mounts.cpp ------------------------------------------------------------------------

// Shows each source to another user at staged_path(), whatever folders lie above it and whoever may
// read it: only this process and its children see that. What the user couldn't read is shown as if
// its owner were that user. Requires root. Returns 0 or an errno.
int stage_sources(const std::vector<std::string>& sources, uid_t user);

// Inside: puts one empty folder to write in over /tmp and /dev/shm, of so many bytes. What is shown
// below them stays, and `working_directory` is made where it lies there. Requires the right to
// mount. Returns 0 or an errno.
int mount_work_folders(std::uint64_t bytes, const std::vector<std::string>& places,
                       const std::string& working_directory);

}  // namespace referee::process
