#pragma once

// The group that holds the groups of all bots of one launcher, and where such a group may be made.
// Its name tells whose it is (pid namespace, process, start time): so the groups of a dead referee
// can be told from those of a living one.

#include <memory>
#include <string>

#include "protocol/base/result.h"
#include "referee/launch/process/control_group.h"

namespace referee::process {

// Errors say in a few words, for the log, why something is not there.

// The group in which this process is: of version 2, or in version 1's hierarchies.
base::Result<GroupPlace, std::string> find_home(bool unified);

// Version 2 hands limits on memory and processes only to groups whose parent has no process itself.
// So where only this process and its children are in `home`, they move into a group of their own
// below, and the controllers that `home` has are handed on. Does nothing where others are there
// too.
void hand_on_controllers(const GroupPlace& home);

// Kills and removes the groups of referees that are dead, as far as we have the right.
void remove_leftovers(const GroupPlace& home);

class RunGroup {
 public:
    // Makes a new group below `home`. Under version 2 it must be able to freeze and to kill.
    static base::Result<std::unique_ptr<RunGroup>, std::string> make(const GroupPlace& home);

    // Requires: the groups of all bots are removed.
    ~RunGroup();
    RunGroup(const RunGroup&) = delete;
    RunGroup& operator=(const RunGroup&) = delete;

    const GroupPlace& place() const { return place_; }

    // A place that was never used before; the group is not made yet.
    GroupPlace next_bot();

    bool holds_process_limit() const { return !place_.pids.empty(); }
    bool holds_memory_limit() const { return !place_.memory.empty(); }

 private:
    explicit RunGroup(GroupPlace place) : place_(std::move(place)) {}
    void take_controllers();

    GroupPlace place_;
    std::uint64_t bots_ = 0;
};

}  // namespace referee::process
