#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "referee/game/clock/time.h"

namespace referee::loop {

// How far the machine's wall clock (CLOCK_REALTIME) is ahead of its monotonic one.
struct WallClock {
    Duration ahead;
    Instant at;  // when it was so
};

// Reads it now. Returns nothing where the two clocks could not be read close to one another,
// because the processor was taken away between them again and again: a guess would look like a step
// of the clock.
std::optional<WallClock> read_wall_clock();

// What the wall clock says, in milliseconds since 1970.
std::int64_t wall_clock_ms();

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

// ---- The heartbeat --------------------------------------------------------------------------

struct HeartbeatPage;

// A small second process that only beats: every few milliseconds it notes in memory that both
// share that it is there. Where the referee was stopped and the beats went on, the machine went on
// too.
//
// The child has nothing of the referee's but that page: no descriptor, and a session of its own, so
// that Ctrl-Z doesn't stop it. It ends with the referee, however that ends. Without a call of
// wake() it sleeps. For one thread, the one that makes it.
class Heartbeat {
 public:
    static constexpr Duration beat_every = Machine::beat_every;
    // A beat that is late by less is normal.
    static constexpr Duration noise = std::chrono::milliseconds(1);
    // A child that hasn't beaten for so long may have ended.
    static constexpr Duration silence_max = std::chrono::milliseconds(50);

    using OnLost = std::function<void(const std::string& reason)>;

    // Starts the child. Requires: no other thread runs yet. `on_lost` is called once, where there
    // is no child, or when it has ended.
    explicit Heartbeat(OnLost on_lost);
    ~Heartbeat();
    Heartbeat(const Heartbeat&) = delete;
    Heartbeat& operator=(const Heartbeat&) = delete;

    void wake(Instant now);
    void fall_asleep();
    // Nothing where there is none, or while it is asleep.
    std::optional<Machine::Pulse> pulse(Instant now);

    // The child; 0 where there is none.
    pid_t process() const { return child_; }

 private:
    void lose(const std::string& reason);
    bool has_ended() const;

    OnLost on_lost_;
    HeartbeatPage* page_ = nullptr;
    pid_t child_ = 0;
    bool awake_ = false;
    Instant woken_at_{};
};

}  // namespace referee::loop
