#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace referee::loop {

// How many cores this process may keep busy: those that it is bound to, or fewer where its control
// groups get less of their time, or where it is in a job of Slurm that was given fewer (a cluster
// may bind nothing). At least one.
std::size_t usable_cores();

// The same of what the system says.
struct CoresSaid {
    std::size_t bound = 1;          // on which it may run
    std::optional<double> quota{};  // of how many its control groups get the time; nothing: of all
    std::string of_slurm{};         // $SLURM_CPUS_PER_TASK; empty: it isn't set
};
std::size_t usable_cores(const CoresSaid& said);

// Of the time of how many cores the control groups get that /proc/self/cgroup names, and those
// above them; nothing: nobody bounds it. `root`: where control groups are mounted.
std::optional<double> quota_of_groups(std::string_view groups, const std::string& root);

// How many descriptors this process may have open at once, at most: the hard limit. It is set by
// whoever started the process.
std::size_t descriptors_max();

// From now on the process may have so many open, or as many as the hard limit allows. The limit is
// never lowered.
void allow_descriptors(std::size_t wanted);

}  // namespace referee::loop
