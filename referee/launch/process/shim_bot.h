#pragma once

// The bot's side of the exec shim: what happens between the fork and the command.

#include <sys/types.h>

#include "referee/launch/process/shim_spec.h"

namespace referee::process {

// What the child writes into the error pipe when it fails. If the pipe ends without a word, the
// command runs.
struct ShimFailure {
    LaunchStage stage = LaunchStage::execute;
    std::int32_t error = 0;
};

// Turns this process, which was just forked, into the bot. Requires: it has one thread, descriptors
// 0 to 2 are the bot's, and all others close on exec. Never returns.
[[noreturn]] void become_bot(const ShimSpec& spec, ShimPage& page, pid_t supervisor,
                             int error_pipe);

// Its last steps, which are also those of the process that becomes the bot inside a sandbox.
[[noreturn]] void run_command(const ShimSpec& spec, int error_pipe);

// Gives up the bot's own descriptors 0 to 2, in the processes that only watch it.
void leave_standard_descriptors();

// Returns 0 or an errno.
int set_limits(const ShimSpec& spec);

}  // namespace referee::process
