#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "referee/game/clock/time.h"
#include "referee/net/loop/timers.h"

// Whether a scheduler lets games begin, and when it looks for some.

namespace referee::scheduler {

// The first of some times, doubled for each further one in a row, and at most the last.
inline Duration doubled(Duration first, unsigned times, Duration most) {
    auto time = first;
    for (unsigned i = 1; i < times && time < most; ++i) time *= 2;
    return std::min(time, most);
}

// How everything ended.
struct SchedulerEnding {
    enum class Kind : std::uint8_t {
        finished,      // every tournament is over
        stopped,       // stop() was called
        stuck,         // only games are left that were annulled too often
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
        if (std::holds_alternative<NotStarted>(phase_)) phase_ = Playing{};
    }
    // Games that run have this much time, the grace; when it is over, calls `on_grace_over`, unless
    // there was none. A second call can only shorten the time, and the first reason stays. False
    // where the call changes nothing: it doesn't shorten the time, or all has ended.
    bool stop(const std::string& reason, Duration grace, std::function<void()> on_grace_over) {
        if (ended()) return false;
        const auto ends = timers_.now() + grace;
        if (!stopping()) phase_ = Stopping{reason, std::nullopt};
        auto& stopping = std::get<Stopping>(phase_);
        if (stopping.grace && ends >= stopping.grace->ends) return false;
        cancel_grace();
        if (grace <= Duration::zero()) return true;
        const auto over = [this, told = std::move(on_grace_over)] {
            std::get<Stopping>(phase_).grace.reset();
            told();
        };
        stopping.grace = Grace{timers_.schedule(ends, over), ends};
        return true;
    }
    // Games that run have all the time they need. False where it is stopping already, or has ended.
    bool drain(const std::string& reason) {
        if (stopping() || ended()) return false;
        phase_ = Stopping{reason, std::nullopt};
        return true;
    }
    // False where it has ended already.
    bool end(SchedulerEnding::Kind kind) {
        if (ended()) return false;
        cancel_grace();
        phase_ = Ended{kind};
        return true;
    }

    bool playing() const { return std::holds_alternative<Playing>(phase_); }
    bool ended() const { return std::holds_alternative<Ended>(phase_); }
    // The games that run are played to their end, and no other begins.
    bool stopping() const { return std::holds_alternative<Stopping>(phase_); }
    // It is stopping, or it ended before all was played.
    bool cut_short() const {
        if (stopping()) return true;
        const auto* end = std::get_if<Ended>(&phase_);
        return end != nullptr && (end->kind == SchedulerEnding::Kind::stopped ||
                                  end->kind == SchedulerEnding::Kind::not_recorded);
    }
    // Requires: stopping.
    const std::string& stop_reason() const { return std::get<Stopping>(phase_).reason; }
    // When the grace is over; nothing where there is none, or it is over already. Requires:
    // stopping.
    std::optional<Instant> grace_ends() const {
        const auto& grace = std::get<Stopping>(phase_).grace;
        return grace ? std::optional(grace->ends) : std::nullopt;
    }

 private:
    struct NotStarted {};
    struct Playing {};
    struct Grace {
        loop::Timers::Id timer = 0;
        Instant ends{};
    };
    struct Stopping {
        std::string reason;
        std::optional<Grace> grace;  // until it is over
    };
    struct Ended {
        SchedulerEnding::Kind kind = SchedulerEnding::Kind::finished;
    };
    void cancel_grace() {
        auto* stopping = std::get_if<Stopping>(&phase_);
        if (stopping == nullptr || !stopping->grace) return;
        timers_.cancel(stopping->grace->timer);
        stopping->grace.reset();
    }

    loop::Timers& timers_;
    std::variant<NotStarted, Playing, Stopping, Ended> phase_;
};

// When the scheduler looks for games that can begin. A part that waits for a moment asks for a look
// at that moment. A part during which no game may begin holds the looks off. On the loop's thread.
class Wakeups {
 public:
    // The timers outlive this.
    Wakeups(loop::Timers& timers, std::function<void()> look)
        : timers_(timers), look_(std::move(look)) {}
    ~Wakeups() { cancel(); }
    Wakeups(const Wakeups&) = delete;
    Wakeups& operator=(const Wakeups&) = delete;

    // There is a look then, or earlier. Only the earliest moment is kept: at each look, those who
    // still wait ask again.
    void wake_by(Instant at) {
        if (timer_ != 0 && timer_at_ <= at) return;
        timers_.cancel(timer_);
        timer_at_ = at;
        timer_ = timers_.schedule(at, [this] {
            timer_ = 0;
            look_();
        });
    }
    // No look is due any more.
    void cancel() { timers_.cancel(std::exchange(timer_, 0)); }

    // No look begins while this lives. It ends before its Wakeups.
    class Hold {
     public:
        explicit Hold(Wakeups& wakeups) : wakeups_(wakeups) { ++wakeups_.holds_; }
        ~Hold() { --wakeups_.holds_; }
        Hold(const Hold&) = delete;
        Hold& operator=(const Hold&) = delete;

     private:
        Wakeups& wakeups_;
    };
    // Whether somebody holds the looks off: one that is wanted now has to come later.
    bool held() const { return holds_ > 0; }

 private:
    loop::Timers& timers_;
    std::function<void()> look_;
    std::size_t holds_ = 0;
    loop::Timers::Id timer_ = 0;
    Instant timer_at_{};
};

}  // namespace referee::scheduler
