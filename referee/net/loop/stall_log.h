#pragma once

#include <cstdint>
#include <deque>
#include <string_view>

#include "referee/net/loop/stall_source.h"

namespace referee::loop {

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

}  // namespace referee::loop
