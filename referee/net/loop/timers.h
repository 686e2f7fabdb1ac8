#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "referee/game/clock/time.h"

namespace referee::loop {

// The present time, and calls at a later instant: all that the code outside the pure rooms knows of
// time. In production the machine's monotonic clock drives it; the simulator drives it by hand.
// Callbacks run on the loop's thread, in the order of their instants; those of the same instant run
// in the order in which they were asked for. Not thread safe.
class Timers {
 public:
    using Callback = std::function<void()>;
    using Id = std::uint64_t;  // never 0

    Timers() = default;
    Timers(const Timers&) = delete;
    Timers& operator=(const Timers&) = delete;
    virtual ~Timers() = default;

    virtual Instant now() const = 0;

    // Calls back at `at`, or as soon as possible after it.
    Id schedule(Instant at, Callback callback);
    // The call will not come; an id that is done or unknown is ignored.
    void cancel(Id id);
    // Calls back when nothing is due any more, in the order of asking: for what follows from a due
    // call, but may wait until all others that are due have had their turn. What becomes due in the
    // meantime goes first too. Requires: called from inside a due call.
    Id after_due(Callback callback);

 protected:
    // The earliest pending instant has become earlier: wake up then.
    virtual void wake_at(Instant at) = 0;

    bool empty() const { return pending_ == 0; }
    // When the next call is due. Requires: not empty.
    Instant earliest();
    // Runs the earliest call that is due at now(), if there is one.
    bool run_one_due();
    // Runs the first of the calls that were asked for after due ones, if there is one.
    bool run_one_after();
    // Runs what is due, and then what was asked for after it; what the callbacks add for now is
    // run too.
    void run_due();

 private:
    struct Entry {
        Instant at;
        std::uint64_t order;  // in which it was asked for
        Id id;
        bool operator>(const Entry& other) const {
            return at != other.at ? at > other.at : order > other.order;
        }
    };
    // Where a call waits. A place is used again and again, each time under another id: the low bits
    // of the id are the number of the place, the high bits the number of the use.
    struct Place {
        Callback callback;
        std::uint32_t use = 0;
        bool taken = false;
    };
    static std::size_t place_of(Id id) { return static_cast<std::uint32_t>(id); }
    bool is_pending(Id id) const;
    Id occupy(Callback callback);
    // Requires: pending.
    Callback take(Id id);
    void run(Id id);
    void drop_cancelled();
    void compact();

    std::vector<Entry> heap_;  // earliest on top; cancelled entries stay until they surface
    std::deque<Id> after_;     // the first asked for in front; cancelled ones stay too
    bool running_ = false;     // a due call, or one after it
    std::vector<Place> places_;
    std::vector<std::size_t> free_places_;
    std::size_t pending_ = 0;
    std::uint64_t asked_ = 0;
};

}  // namespace referee::loop
