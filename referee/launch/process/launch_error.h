#pragma once

// Turns an errno at a stage of the launch into an error that a person can act on.

#include "protocol/base/result.h"
#include "referee/launch/process/launch_spec.h"
#include "referee/launch/process/shim_spec.h"
#include "referee/launch/sandbox/tier.h"

namespace referee::process {

// An error is the first mistake in the spec itself.
base::Result<void, LaunchError> check_spec(const LaunchSpec& spec);

// An error is what would stop a launch as things are now, as far as that can be seen without
// launching: no such program or folder, no permission, nothing there that it is to see.
// `search_path`: as in LauncherOptions.
base::Result<void, LaunchError> foresee_launch(const LaunchSpec& spec,
                                               const std::string& search_path);

// `search_path`: where programs without a slash are looked for.
LaunchError launch_error(const LaunchSpec& spec, const std::string& search_path, LaunchStage stage,
                         int error);

// An error names the first path that the bot is to see in the sandbox and that can't be reached.
base::Result<void, LaunchError> can_show(const LaunchSpec& spec);

// No sandbox at all, and no sandbox for this bot.
LaunchError no_sandbox(const LaunchSpec& spec, const sandbox::Offer& offer);
LaunchError sandbox_refused(const LaunchSpec& spec, const sandbox::SkippedTier& refused);

// The same for trouble before the shim ran: with pipes, with memory, with the shim itself.
LaunchError system_error(const LaunchSpec& spec, const std::string& what, int error);

}  // namespace referee::process
