#pragma once

#include "referee/connections/runtime/machine.h"
#include "referee/connections/runtime/stall_log.h"
#include "referee/connections/runtime/stall_source.h"
#include "referee/connections/runtime/timers.h"

namespace referee::runtime {

// The referee's suspicion of itself: a tick on its own event loop, all the time. A tick that comes
// late is a stall, whatever the cause; the thread's processor time and its wait for a core tell
// what it was, and what is neither is a process or a machine that stood still. Each look compares
// the clocks too (steps of the wall clock, sleep of the machine), and now and then the machine's
// load is asked for.
//
// A stall is known as soon as anybody asks, also from a handler that runs before the late tick.
// Lives on the loop's thread; a look costs well under a microsecond, a tick about two.
class LoopWatch final : public StallSource {
 public:
    // A stall that hides between two ticks is this long at most.
    static constexpr Duration tick_every = std::chrono::milliseconds(2);
    // A tick that is late by less is everyday.
    static constexpr Duration noise = std::chrono::milliseconds(1);
    static_assert(StallLog::reach >= tick_every + noise);
    // Slewing moves the wall clock by 0.5 ms a second; more than this from look to look is a step.
    static constexpr Duration step_min = std::chrono::milliseconds(5);
    static constexpr Duration sample_every = std::chrono::milliseconds(20);
    // Of a sample, what must be lost to others before the machine counts as overloaded.
    static constexpr double overload_share = 0.1;

    // Both outlive the watch. It watches from now on.
    LoopWatch(Timers& timers, const Machine& machine);
    ~LoopWatch() override;
    LoopWatch(const LoopWatch&) = delete;
    LoopWatch& operator=(const LoopWatch&) = delete;
    LoopWatch(LoopWatch&&) = delete;
    LoopWatch& operator=(LoopWatch&&) = delete;

    // Nothing runs that a stall could hurt: no ticks until wake().
    void rest();
    void wake();

    Duration stalled(StallsOf whose, Instant from, Instant to) const override;
    std::string_view cause(StallsOf whose, Instant from, Instant to) const override;

 private:
    // What is known of the present goes to the log.
    void look() const;
    void look_at_clocks(Instant now) const;
    void look_at_load(Instant now) const;
    void add_load(StallKind kind, Duration lost, Instant now) const;
    StallKind kind_of(Duration late) const;
    void begin();
    void plan();
    void tick();

    Timers& timers_;
    const Machine& machine_;
    Timers::Id timer_ = 0;       // 0: at rest
    Instant planned_{};          // the next tick
    Duration processor_time_{};  // at the last tick
    Duration core_wait_{};       // at the last tick
    // What looking finds out is no change of the watch.
    mutable StallLog log_;
    mutable Instant looked_at_{};
    mutable Machine::Clocks clocks_{};
    mutable Instant sampled_at_{};
    mutable Machine::Load load_{};  // at the last sample
};

}  // namespace referee::runtime
