#pragma once

// The bot's side of the exec shim: what happens between the fork and the command.

#include <sys/types.h>

#include "referee/bots/launcher/shim_spec.h"

namespace referee::launcher {

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

}  // namespace referee::launcher
