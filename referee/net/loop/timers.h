#pragma once

#include <boost/asio/execution_context.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "referee/game/clock/time.h"
#include "referee/net/loop/life.h"

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
    // Calls back when nothing is due any more and all that came at once has been heard, in the
    // order of asking: for what follows from a due call or from a line, but may wait until the
    // others have had their turn. What becomes due in the meantime goes first too.
    Id afterwards(Callback callback);
    // Whether others that came together with what runs now are still to be heard. Where none is,
    // what follows may as well be done at once.
    virtual bool hears_more() const { return false; }

 protected:
    // The earliest pending instant has become earlier: wake up then.
    virtual void wake_at(Instant at) = 0;

    bool empty() const { return pending_ == 0; }
    // When the next call is due. Requires: not empty.
    Instant earliest();
    // Runs the earliest call that is due at now(), if there is one.
    bool run_one_due();
    // Runs the first of the calls that were asked for afterwards, if there is one.
    bool run_one_after();
    bool has_after() const { return !after_.empty(); }
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
    std::vector<Place> places_;
    std::vector<std::size_t> free_places_;
    std::size_t pending_ = 0;
    std::uint64_t asked_ = 0;
};

// The machine's monotonic clock (CLOCK_MONOTONIC) as an instant.
Instant monotonic_now();
// What one of the kernel's clocks tells, and what it is told.
inline Duration duration_of(const timespec& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

inline timespec timespec_of(Duration since_zero) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(since_zero);
    return {static_cast<time_t>(seconds.count()),
            static_cast<long>(Duration(since_zero - seconds).count())};
}

// Handlers of a loop that became ready at once and are still to run: what one look at the network
// found, say. A service of the loop. Not thread safe.
class Batch final : public boost::asio::execution_context::service {
 public:
    using key_type = Batch;
    inline static boost::asio::execution_context::id id;
    explicit Batch(boost::asio::execution_context& loop) : service(loop) {}

    void add() { ++left_; }
    // One has run.
    void done() { --left_; }
    bool over() const { return left_ == 0; }

 private:
    void shutdown() noexcept override {}

    std::size_t left_ = 0;
};

// Timers on the machine's monotonic clock, by one timer of the io context.
class SystemTimers final : public Timers {
 public:
    explicit SystemTimers(const boost::asio::any_io_executor& executor)
        : timer_(executor), batch_(boost::asio::use_service<Batch>(executor.context())) {}
    Instant now() const override { return monotonic_now(); }
    bool hears_more() const override { return !batch_.over(); }

    // Runs the loop until it is stopped or has nothing left to do. Before each of its handlers, and
    // of the calls afterwards, it runs all that is due: so a due call waits for one of these at
    // most. Calls afterwards run when a batch is over, and between some of them a
    // handler: so none waits for ever. Without this a due call waits, as any handler does, for all
    // that are ready before it.
    //
    // A loop that always has something to do leaves its core to others for a moment now and then
    // (process_resources.h).
    void run(boost::asio::io_context& loop);

 private:
    void wake_at(Instant at) override;
    void arm(Instant at);
    void on_timer();
    // A loop believes that it has nothing left to do when only calls wait.
    void keep_loop();

    boost::asio::steady_timer timer_;
    const Batch& batch_;
    Instant armed_ = Instant::max();
    bool runs_ = false;  // the loop, by run()
    std::optional<boost::asio::executor_work_guard<boost::asio::steady_timer::executor_type>> kept_;
    Life life_;
};

}  // namespace referee::loop
