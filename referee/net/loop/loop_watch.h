#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string_view>

#include "referee/game/clock/time.h"
#include "referee/net/loop/machine.h"
#include "referee/net/loop/timers.h"

namespace referee::loop {

// Which stalls are asked for. Each kind includes the one before it.
enum class StallsOf : std::uint8_t {
    // What stopped the whole machine, or may have: not a stop of the referee's process alone. For
    // turns whose answers the kernel stamps: it goes on while the referee works, waits for a core,
    // or is stopped.
    machine,
    // Also what held up only the referee's process until the very end of that time, and so may have
    // made its own stamp late. For games that are tried alone. What was over before the end delayed
    // no stamp.
    stamp,
    // Also what the referee lost for want of a processor, or because its process was stopped, at
    // any time: the same may have befallen a bot on the same machine.
    cores,
    // Also all else that held up only the process, at any time: for a bot that waits for the
    // process.
    process,
};

// How much the referee itself stood still, as far as it knows. It is asked whenever a turn is
// judged.
class StallSource {
 public:
    virtual ~StallSource() = default;
    // How much of the time between the two instants the referee did not live through. Never more
    // than the time between them, except for time that the monotonic clock itself slept through.
    virtual Duration stalled(StallsOf whose, Instant from, Instant to) const = 0;
    // The main cause of it, in plain words; empty where nothing was lost.
    virtual std::string_view cause(StallsOf /*whose*/, Instant /*from*/, Instant /*to*/) const {
        return {};
    }
};

// Why the referee stood still.
enum class StallKind : std::uint8_t {
    busy_loop,      // its own handlers took too long
    no_core,        // it was ready, and the machine had no core for it
    heart_starved,  // it was neither, and there was no core for its heartbeat
    stopped,        // it was neither, while its heartbeat went on: only its process was stopped
    not_running,    // it was neither, and nobody can tell whether the machine stood still too
    stood_still,    // it was neither, and its heartbeat stood still too: so did the machine (a
                    // virtual one that was paused), or all that could tell
    clock_step,     // the wall clock jumped, and receive stamps with it
    suspended,      // the whole machine slept
    overloaded,     // it waited for a core, a little again and again, on a machine under pressure
    stolen,         // the machine's host gave its cores to others
};
// In plain words, "its own event loop was busy".
std::string_view describe(StallKind kind);

// What is known of the referee's stalls: bookkeeping only, in bounded memory, the latest last.
//
// A stall is a stretch of time, and how much of that time was lost: all of it, or a part whose
// place in the stretch isn't known (stolen time is known only as a sum of each sample). Where two
// stalls cover the same time, it counts as lost once.
class StallLog {
 public:
    // How many stalls are kept. The longest wait for an answer is about a minute, and a stall lasts
    // a few milliseconds at least.
    static constexpr std::size_t kept_max = 16 * 1024;
    // A stall is also counted against a moment up to this long after it, because then the watch
    // could not know yet that it was over.
    static constexpr Duration reach = std::chrono::milliseconds(3);

    // The referee stood still all the time from one instant to the other. Requires: stalls are told
    // in the order of their ends. Time that was told already is not told again.
    void add(StallKind kind, Instant from, Instant to);
    // Somewhere between the two instants, `lost` was lost. Adds only what is more than the loss
    // that is known for that time already.
    void add_share(StallKind kind, Instant from, Instant to, Duration lost);

    // How much of the time between the two instants was lost. A stall that lies partly in it counts
    // with the same part of its loss. Where `lost` is more than the stall's own stretch (time
    // asleep), it counts in full if any of the stretch lies in the time asked for.
    Duration stalled(StallsOf whose, Instant from, Instant to) const;
    // The kind of stall that lost most of that time. Requires: something was lost.
    StallKind worst(StallsOf whose, Instant from, Instant to) const;

    std::size_t kept() const { return stalls_.size(); }

 private:
    struct Stall {
        StallKind kind;
        Instant from, to;
        Duration lost;
        bool stops_machine() const;
        bool may_hit_bots() const;
        Duration within(Instant begin, Instant end) const;
    };
    void keep(const Stall& stall);
    // Tells each stall that counts, the latest first, and how much of the time it lost.
    template <typename Tell>
    void each(StallsOf whose, Instant from, Instant to, Tell tell) const;

    std::deque<Stall> stalls_;
};

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
