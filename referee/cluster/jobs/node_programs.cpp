#include "referee/cluster/jobs/node_programs.h"

#include "referee/launch/process/search_path.h"
#include "referee/launch/program/program.h"
#include "referee/launch/sandbox/tier.h"
#include "referee/launch/supply/launch_spec_of.h"
#include "referee/launch/supply/program_launches.h"

namespace referee::jobs {

base::Result<void, std::string> check_programs(const Job& job) {
    program::Programs programs;
    for (const auto& [name, expected] : job.programs) {
        const auto& bot = bot_of(job, name);
        // A command that isn't there has a name too, so it is looked for first.
        const auto foreseen =
            supply::foresee_launch(bot, process::program_search_path(), sandbox::Tier::none);
        if (!foreseen)
            return base::failure("the program of " + name +
                                 " can't be launched on this machine: " + foreseen.error().message +
                                 "; expected the same files on every machine, as a shared folder "
                                 "has them");
        const auto found = programs.identify(supply::program_launch_of(bot));
        if (!found) return base::failure("the program of " + name + ": " + found.error().message);
        if (*found == expected) continue;
        return base::failure(
            "the program of " + name + " is not the one that the job was written for: expected " +
            expected + ", found " + *found +
            ". Its files have changed since, or this machine has another interpreter for it; let "
            "the coordinator write the job anew, or give all machines the same interpreter");
    }
    return {};
}

}  // namespace referee::jobs
