#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "referee/game/clock/time.h"

namespace referee::loop {

// What the machine tells of itself, for the watch of the loop. All but the clocks are sums since
// some time in the past: only differences mean anything.
class Machine {
 public:
    // Nothing where it can't be known at this moment.
    struct Clocks {
        std::optional<Duration> wall_ahead;  // how far the wall clock is ahead of the monotonic one
        Duration slept{};                    // how long the whole machine was suspended
    };
    struct Load {
        Duration stolen{};       // cores that the hypervisor took away, as the mean of a core
        Duration stolen_step{};  // the least by which that can grow: the kernel counts in ticks
        // How long the calling thread was ready without a free core while the whole machine was
        // under pressure. Both are asked for: otherwise bots could make an excuse by causing
        // pressure alone.
        Duration waited{};
    };
    // Of the heartbeat, a second process that only notes that it is there.
    struct Pulse {
        Duration stood{};      // how long it did not beat though a beat was due, whatever the cause
        Duration core_wait{};  // how long it was ready and no core was free for it, as of its last
                               // beat
    };
    // How often the heartbeat beats. What stops it for less may go unnoticed.
    static constexpr Duration beat_every = std::chrono::milliseconds(5);

    virtual ~Machine() = default;
    virtual Clocks clocks() const = 0;
    // Of the calling thread.
    virtual Duration processor_time() const = 0;
    // How long the calling thread was ready and no core was free for it; zero where the system
    // doesn't tell.
    virtual Duration core_wait() const = 0;
    // Zeros where the system doesn't tell.
    virtual Load load() const = 0;
    // Nothing where there is none, or while it is asleep.
    virtual std::optional<Pulse> heartbeat(Instant now) const = 0;
    // The heartbeat beats from now on, until fall_asleep(). At first it is asleep.
    virtual void wake() = 0;
    virtual void fall_asleep() = 0;
};

// The machine that this runs on. For one thread, the one that makes it, and before there are
// others: it starts the heartbeat. `on_heartbeat_lost` is told a sentence, once, where there is
// none or it has ended.
std::unique_ptr<Machine> this_machine(std::function<void(const std::string&)> on_heartbeat_lost);

}  // namespace referee::loop
