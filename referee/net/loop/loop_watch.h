#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "referee/net/loop/machine.h"
#include "referee/net/loop/stall_log.h"
#include "referee/net/loop/stall_source.h"
#include "referee/net/loop/timers.h"

namespace referee::loop {

// Finds out when the referee itself stood still: a timer ticks on its own event loop, all the time.
// A tick that comes late is a stall, whatever the cause. The thread's processor time and its wait
// for a core tell the cause. Where neither explains the stall, the heartbeat tells whether the
// machine went on meanwhile. Each look also compares the clocks (steps of the wall clock, sleep of
// the machine), and now and then asks for the machine's load.
//
// A stall is known as soon as anybody asks, even when a handler asks before the late tick has run.
// Lives on the loop's thread; a look costs well under a microsecond, a tick about two.
class LoopWatch final : public StallSource {
 public:
    // A stall that begins and ends between two ticks is not seen; it is this long at most.
    static constexpr Duration tick_every = std::chrono::milliseconds(2);
    // A tick that is late by less is normal.
    static constexpr Duration noise = std::chrono::milliseconds(1);
    static_assert(StallLog::reach >= tick_every + noise);
    // A shorter stop may lie between two beats of the heart: then nobody can tell whether the
    // machine went on, and it counts as the machine's.
    static constexpr Duration told_apart_min = 2 * Machine::beat_every;
    // Slewing moves the wall clock by 0.5 ms a second; more than this from look to look is a step.
    static constexpr Duration step_min = std::chrono::milliseconds(5);
    static constexpr Duration sample_every = std::chrono::milliseconds(20);
    // The share of a sample's time that must be lost to others before the machine counts as
    // overloaded.
    static constexpr double overload_share = 0.1;

    // Both outlive the watch. It watches from now on. The timers are the watch's own, and the loop
    // runs them as it runs any handler: a tick must wait as long as a read has to.
    LoopWatch(Timers& timers, Machine& machine);
    ~LoopWatch() override;
    LoopWatch(const LoopWatch&) = delete;
    LoopWatch& operator=(const LoopWatch&) = delete;

    // A stall that is at least this long is told at once.
    static constexpr Duration told_min = std::chrono::milliseconds(100);
    // Why the loop stood still, in plain words, and how long. Called by the loop, when it goes on.
    using OnStall = std::function<void(std::string_view cause, Duration stood)>;
    void tell_stalls(OnStall on_stall) { on_stall_ = std::move(on_stall); }

    // Stops the ticks until wake(): nothing runs that a stall could hurt.
    void fall_asleep();
    void wake();

    Duration stalled(StallsOf whose, Instant from, Instant to) const override;
    std::string_view cause(StallsOf whose, Instant from, Instant to) const override;

 private:
    // What tells why a tick is late, by its difference to the one before the last look.
    struct Reading {
        Duration processor_time;  // of the thread
        Duration core_wait;       // of the thread
        std::optional<Machine::Pulse> pulse;
    };
    struct NextTick {
        Timers::Id timer;
        Instant planned;
        Reading before;
    };

    // Brings the log up to the present.
    void look() const;
    void look_at_clocks(Instant now) const;
    void look_at_load(Instant now) const;
    void add_stolen(const Machine::Load& load, Instant now) const;
    void add_load(StallKind kind, Duration lost, Instant from, Instant now) const;
    // The tick is late, and it is now.
    void tell_late(Instant now) const;
    // The same, where the thread neither worked nor waited for a core.
    void tell_stop(Instant from, Instant to) const;
    void begin();
    Reading read() const;
    void plan(const Reading& before);
    void tick();

    Timers& timers_;
    Machine& machine_;
    OnStall on_stall_;
    std::optional<NextTick> next_;  // nothing: asleep
    // Looking changes only what is known, not the watch: hence mutable.
    mutable StallLog log_;
    mutable Instant looked_at_{};
    mutable Machine::Clocks clocks_{};
    mutable Instant sampled_at_{};
    mutable Machine::Load load_{};  // at the last sample
    mutable Instant stolen_at_{};   // when the last of what was stolen became known
};

}  // namespace referee::loop
