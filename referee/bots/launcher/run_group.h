#pragma once

// The control group under which all bots of one launcher get theirs, and where such a group may
// be made. Its name tells whose it is (pid namespace, process, start time), so that what a dead
// referee left behind is told from what a living one uses.

#include <memory>
#include <string>
#include <variant>

#include "referee/bots/launcher/control_group.h"

namespace referee::launcher {

// Where a thing was looked for in vain: why, in a few words for the log.
struct NotThere {
    std::string why;
};

// The group in which this process lives, in version 2 or else in version 1's hierarchies.
std::variant<GroupPlace, NotThere> find_home(bool unified);

// Kills and removes the groups of referees that are dead, as far as they may be touched.
void remove_leftovers(const GroupPlace& home);

class RunGroup {
 public:
    // A new group below `home`. Under version 2 it must be able to freeze and to kill.
    static std::variant<std::unique_ptr<RunGroup>, NotThere> make(const GroupPlace& home);

    // Requires that the groups of all bots are removed.
    ~RunGroup();
    RunGroup(const RunGroup&) = delete;
    RunGroup& operator=(const RunGroup&) = delete;

    const GroupPlace& place() const { return place_; }

    // A place that was never used before; not made yet.
    GroupPlace next_bot();

    bool holds_process_limit() const { return !place_.pids.empty(); }

 private:
    explicit RunGroup(GroupPlace place) : place_(std::move(place)) {}

    GroupPlace place_;
    std::uint64_t bots_ = 0;
};

}  // namespace referee::launcher
