#pragma once

// The processes below one process, by what /proc tells: for machines where no control group may
// be made. Used by the launcher (usage, freezing) and by the exec shim (killing).
//
// Every process of a bot stays below its supervisor, because the supervisor is a subreaper:
// daemons are handed up to it and not to process 1.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace referee::launcher {

enum class Walk {
    children_files,  // /proc/PID/task/TID/children: costs as much as the tree is large
    stat_scan,       // every /proc/PID/stat: costs as much as the machine is full
};

struct TreeProcess {
    pid_t pid = 0;
    pid_t parent = 0;
    // Processor time of the children that it has waited for, by ticks (10 ms as a rule).
    std::uint64_t waited_us = 0;
};

// Whether the kernel offers the children files.
bool has_children_files();

// All processes below `root` (without it), parents before their children.
std::vector<TreeProcess> processes_below(pid_t root, Walk walk);

// Sends the signal to every process below `root`. A process is signalled only while its parent
// is still the one that was seen, so that a number used anew is not hit. Returns how many.
std::size_t signal_below(pid_t root, Walk walk, int signal);

// Stops everything below `root`, also what is born meanwhile.
void stop_below(pid_t root, Walk walk);

// Processor time of what lives below `root`, in microseconds, including what these processes
// waited for. By clocks, exact, but for the waited-for children, which come in ticks. A process
// that is reaped while we look is missed for this once, never counted twice.
std::uint64_t cpu_below_us(pid_t root, Walk walk);

// Processor time of one process without its children, by its clock; nothing where it is gone.
std::optional<std::uint64_t> process_clock_us(pid_t pid);

}  // namespace referee::launcher
