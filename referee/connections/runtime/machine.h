#pragma once

#include <memory>
#include <optional>

#include "referee/games/clock/time.h"

namespace referee::runtime {

// What the machine tells of itself, for the watch of the loop. All but `processor_time` are sums
// since some time in the past: only differences mean anything.
class Machine {
 public:
    // Nothing where it can't be known at this moment.
    struct Clocks {
        std::optional<Duration> wall_ahead;  // how far the wall clock is ahead of the monotonic one
        Duration slept{};                    // how long the whole machine was suspended
    };
    struct Load {
        Duration stolen{};  // cores that the hypervisor took away, as the mean of a core
        // How long the calling thread was ready without a free core while the whole machine was
        // under pressure. Both are asked for: otherwise bots could make an excuse by causing
        // pressure alone.
        Duration waited{};
    };

    virtual ~Machine() = default;
    virtual Clocks clocks() const = 0;
    // Of the calling thread.
    virtual Duration processor_time() const = 0;
    // How long the calling thread was ready and no core was free for it; zero where the system
    // doesn't tell.
    virtual Duration core_wait() const = 0;
    // Zeros where the system doesn't tell.
    virtual Load load() const = 0;
};

// The machine that this runs on. For one thread, the one that makes it.
std::unique_ptr<Machine> this_machine();

}  // namespace referee::runtime
