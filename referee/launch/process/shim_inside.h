#pragma once

// The shim as the first process inside a sandbox with namespaces: makes what only can be made
// there, starts the bot, tells how it ended, and reaps all that is left to it.

#include "referee/launch/process/shim_spec.h"

namespace referee::process {

// Requires: this process has one thread and the descriptors of shim_spec.h. Returns the exit status
// when nothing of the bot is left.
int run_inside(const ShimSpec& spec);

}  // namespace referee::process
