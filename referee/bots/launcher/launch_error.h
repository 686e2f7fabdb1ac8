#pragma once

// Turns an errno at a stage of the launch into an error that a person can act on.

#include "referee/bots/launcher/launch_spec.h"
#include "referee/bots/launcher/shim_spec.h"

namespace referee::launcher {

// The first thing wrong with the spec itself, or nothing.
std::optional<LaunchError> find_fault(const LaunchSpec& spec);

// What stands in the way of a launch as things are now, as far as can be seen without launching:
// no such program or folder, no permission. `search_path`: as in LauncherOptions.
std::optional<LaunchError> foreseen_error(const LaunchSpec& spec, const std::string& search_path);

// `search_path`: where a program without a slash was looked for.
LaunchError launch_error(const LaunchSpec& spec, const std::string& search_path, LaunchStage stage,
                         int error);

// The same for trouble before the shim ran: pipes, memory, the shim itself.
LaunchError system_error(const LaunchSpec& spec, const std::string& what, int error);

}  // namespace referee::launcher
