#pragma once

// The processes below one process, as /proc lists them: for machines where no control group can be
// made. Used by the launcher (to measure, to freeze) and by the exec shim (to kill).
//
// Every process of a bot stays below its supervisor, because the supervisor is a subreaper: an
// orphan becomes the supervisor's child and not that of process 1.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace referee::process {

enum class Walk {
    children_files,  // /proc/PID/task/TID/children: the cost grows with the tree
    stat_scan,       // every /proc/PID/stat: the cost grows with all processes of the machine
};

struct TreeProcess {
    pid_t pid = 0;
    pid_t parent = 0;
    char state = 0;  // as /proc says it: 'T' where a signal has stopped it
    // Processor time of the children that it has waited for, in ticks (10 ms as a rule).
    std::uint64_t waited_us = 0;
    std::uint64_t started = 0;  // in ticks since the machine began
};

// Nothing where there is no such process.
std::optional<TreeProcess> look_at(pid_t pid);

// Whether the kernel offers the children files.
bool has_children_files();

// All processes below `root` (without it), parents before their children.
std::vector<TreeProcess> processes_below(pid_t root, Walk walk);

// Sends the signal to every process below `root`. A process gets it only while its parent is still
// the same: a process id may have been given to another process.
void signal_below(pid_t root, Walk walk, int signal);

// Stops everything below `root`, also processes that are born meanwhile.
void stop_below(pid_t root, Walk walk);

// Processor time of the processes that live below `root`, and of the children that they waited for,
// in microseconds. The clocks of the living are exact; waited-for children come in ticks. A process
// that is reaped during the call is missed for this once, never counted twice.
std::uint64_t cpu_below_us(pid_t root, Walk walk);

// The ids of all threads of the processes that live below `root`.
std::vector<pid_t> threads_below(pid_t root, Walk walk);

// Processor time of one process without its children, by its clock; nothing where it is gone.
std::optional<std::uint64_t> process_clock_us(pid_t pid);

// How many processes the kernel has killed since the machine began because memory was short, in
// groups and elsewhere; 0 where it doesn't count them.
std::uint64_t machine_memory_kills();

}  // namespace referee::process
