#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "referee/game/clock/time.h"
#include "referee/net/loop/timers.h"

namespace referee::scheduler {

// How everything ended.
struct SchedulerEnding {
    enum class Kind : std::uint8_t {
        finished,      // every tournament is over
        stopped,       // stop() was called
        set_aside,     // only games are left that are set aside and not tried any more
        not_recorded,  // the journal failed
    };
    Kind kind = Kind::finished;
    std::string message;
};

// The phases of a scheduler: not started, playing, stopping, ended. It may leave some out, and
// never goes back. On the loop's thread.
class SchedulerPhase {
 public:
    // The timers outlive this.
    explicit SchedulerPhase(loop::Timers& timers) : timers_(timers) {}
    ~SchedulerPhase() { cancel_grace(); }
    SchedulerPhase(const SchedulerPhase&) = delete;
    SchedulerPhase& operator=(const SchedulerPhase&) = delete;

    // It plays, unless it is stopping or has ended.
    void start() {
        if (phase_ == Phase::not_started) phase_ = Phase::playing;
    }
    // Games that run have this much time, the grace; when it is over, calls `on_grace_over`, unless
    // there was none. A second call can only shorten the time, and the first reason stays. False
    // where the call changes nothing: it doesn't shorten the time, or all has ended.
    bool stop(const std::string& reason, Duration grace, std::function<void()> on_grace_over) {
        if (ended()) return false;
        drain(reason);
        const auto ends = timers_.now() + grace;
        if (grace_ends_ && ends >= *grace_ends_) return false;
        cancel_grace();
        if (grace <= Duration::zero()) return true;
        grace_ends_ = ends;
        timer_ = timers_.schedule(ends, [this, told = std::move(on_grace_over)] {
            cancel_grace();
            told();
        });
        return true;
    }
    // Games that run have all the time they need. False where it is stopping already, or has ended.
    bool drain(const std::string& reason) {
        if (stopping() || ended()) return false;
        phase_ = Phase::stopping;
        reason_ = reason;
        return true;
    }
    // False where it has ended already.
    bool end(SchedulerEnding::Kind kind) {
        if (ended()) return false;
        cancel_grace();
        phase_ = Phase::ended;
        ended_as_ = kind;
        return true;
    }

    bool playing() const { return phase_ == Phase::playing; }
    bool ended() const { return phase_ == Phase::ended; }
    // The games that run are played to their end, and no other begins.
    bool stopping() const { return phase_ == Phase::stopping; }
    // It is stopping, or it ended before all was played.
    bool cut_short() const {
        return stopping() || (ended() && (ended_as_ == SchedulerEnding::Kind::stopped ||
                                          ended_as_ == SchedulerEnding::Kind::not_recorded));
    }
    // Requires: it is stopping, or was.
    const std::string& stop_reason() const { return reason_; }
    // When the grace is over; nothing where there is none, or it is over already.
    std::optional<Instant> grace_ends() const { return grace_ends_; }

 private:
    enum class Phase : std::uint8_t { not_started, playing, stopping, ended };
    void cancel_grace() {
        timers_.cancel(std::exchange(timer_, 0));
        grace_ends_.reset();
    }

    loop::Timers& timers_;
    Phase phase_ = Phase::not_started;
    std::string reason_;
    std::optional<Instant> grace_ends_;
    loop::Timers::Id timer_ = 0;  // set until then
    SchedulerEnding::Kind ended_as_ = SchedulerEnding::Kind::finished;
};

}  // namespace referee::scheduler
