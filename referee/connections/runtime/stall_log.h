#pragma once

#include <cstdint>
#include <deque>
#include <string_view>

#include "referee/connections/runtime/stall_source.h"

namespace referee::runtime {

// Why the referee stood still.
enum class StallKind : std::uint8_t {
    busy_loop,    // its own handlers took so long
    no_core,      // it was ready, and the machine had no core for it
    not_running,  // it was neither: stopped, or the whole machine was (a virtual one that was
                  // paused)
    clock_step,   // the wall clock jumped, and receive stamps with it
    suspended,    // the whole machine slept
    overloaded,   // it waited for a core, a little again and again, on a machine under pressure
    stolen,       // the machine's host gave its cores to others
};
// In plain words, "its own event loop was busy".
std::string_view describe(StallKind kind);

// What is known of the referee's stalls: bookkeeping only, in bounded memory, the latest last.
//
// A stall is a stretch of time and how much of it was lost: all of it, or a share that lies
// anywhere in it (stolen time is known by the sample). Where two stalls tell of the same time, it
// is lost once.
class StallLog {
 public:
    // Stalls that are kept. The longest wait for an answer is about a minute, and a stall is a few
    // milliseconds at least.
    static constexpr std::size_t kept_max = 16 * 1024;
    // A stall reaches what came no later than so long behind its end: by then whoever watches for
    // stalls could not yet tell whether it went on.
    static constexpr Duration reach = std::chrono::milliseconds(3);

    // The referee stood still all the time from one to the other. Requires: stalls are told in the
    // order of their ends. What was told already of that time is not told again.
    void add(StallKind kind, Instant from, Instant to);
    // Somewhere between the two, `lost` was lost. Where more than the rest of it is known to be
    // lost already, this tells nothing new.
    void add_share(StallKind kind, Instant from, Instant to, Duration lost);

    // What was lost of the time between the two; of a stall that lies partly in it, as large a
    // part. `lost` above a stall's own stretch (time asleep) counts in full where the stretch is
    // touched.
    Duration stalled(StallsOf whose, Instant from, Instant to) const;
    // The kind that lost most of it. Requires: something was lost.
    StallKind worst(StallsOf whose, Instant from, Instant to) const;

    std::size_t kept() const { return stalls_.size(); }

 private:
    struct Stall {
        StallKind kind;
        Instant from, to;
        Duration lost;
        bool stops_machine() const;
        bool wants_core() const;
        Duration within(Instant begin, Instant end) const;
    };
    void keep(const Stall& stall);
    // Tells each stall that counts, the latest first, and what was lost of the time by it.
    template <typename Tell>
    void each(StallsOf whose, Instant from, Instant to, Tell tell) const;

    std::deque<Stall> stalls_;
};

}  // namespace referee::runtime
