#pragma once

// Control groups of the kernel: where a bot's group lies, and what can be done with it. A group
// sees, freezes and kills every process of a bot, also processes that left its session.
//
// There are two kinds: `unified` (version 2, also a hybrid mount without controllers) and `split`
// (version 1: cpuacct, and freezer where it is mounted). Used by the launcher and by the exec shim.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "referee/launch/process/kernel_file.h"

namespace referee::process {

// The directories of one group, in each hierarchy that is used.
struct GroupPlace {
    bool unified = true;
    std::string usage;    // version 2, or cpuacct
    std::string freezer;  // split only; empty: freezing is done by signals
    std::string pids;     // where the number of processes can be limited; empty: nowhere
    std::string memory;   // where memory can be limited; empty: nowhere

    // The place one folder deeper.
    GroupPlace child(const std::string& name) const;
    // Below a sandbox's group the bot's own, without what only watches it: freezing that wakes
    // nobody else. Version 2 only.
    GroupPlace inner() const;
    // Each directory once.
    std::vector<std::string> directories() const;
};

// Makes the directories. Returns 0, or the errno of the first that failed; then none is left.
// EEXIST is a failure, because a group is never used twice.
int make_group(const GroupPlace& place);

// Removes the directories, which must have no processes, and inner() where it is there. Returns
// false while one is still there.
bool remove_group(const GroupPlace& place);

// The ids of the group's processes that are visible to us, without our own.
std::vector<pid_t> group_pids(const GroupPlace& place);

// Kills every process of the group, frozen ones too; where the kernel offers that, also children
// that are not born yet. Repeat it until the group is empty.
void kill_group(const GroupPlace& place);

// Allows at most so many processes and threads. Does nothing where `pids` is empty.
int limit_group_processes(const GroupPlace& place, std::optional<std::uint64_t> processes_max);

// Allows at most so much memory, without any swap on top of it; who needs more is killed, as a
// whole where the kernel offers that. Does nothing where `memory` is empty.
int limit_group_memory(const GroupPlace& place, std::uint64_t bytes);

// Who ran out of memory when the kernel killed a process of the group; nobody where it killed none.
enum class OutOfMemory { nobody, group, machine };
OutOfMemory out_of_memory(const GroupPlace& place);

// Whether it was refused a process or thread for the limit on them.
bool group_ran_out_of_processes(const GroupPlace& place);

// Reads a group's processor time. Keeps its files open, since it is read every turn.
class GroupUsage {
 public:
    explicit GroupUsage(const GroupPlace& place);

    // Lists all threads of all its processes anew, none where the group is gone. Whether they are
    // those of the last list.
    bool list_threads();
    const std::vector<pid_t>& threads() const { return thread_ids_; }

    // Processor time of all processes that are or ever were in the group, in microseconds. For
    // processes of the listed threads that run at this moment on another core it counts up to now
    // and not only up to the last tick. Nothing where the group is gone.
    std::optional<std::uint64_t> read_us();

 private:
    bool unified_;
    Descriptor usage_;
    Descriptor threads_;
    std::vector<pid_t> thread_ids_;
    std::vector<pid_t> listed_before_;
    std::string text_;
};

// Freezes and thaws every process of a group; where the kernel offers that, also children that are
// not born yet. Where there is a file for it, it stays open from the first time on, since a bot may
// be frozen and thawed each turn.
class GroupFreezer {
 public:
    explicit GroupFreezer(const GroupPlace& place) : place_(place) {}
    // Returns 0 or an errno.
    int set_frozen(bool frozen);

 private:
    GroupPlace place_;
    Descriptor file_;
};

}  // namespace referee::process
