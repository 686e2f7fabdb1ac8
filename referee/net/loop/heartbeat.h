#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>

#include "referee/net/loop/machine.h"

namespace referee::loop {

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
