#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "referee/net/loop/timers.h"

namespace referee::scheduler {

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
    void start();
    // Games that run have this much time, the grace; when it is over, calls `on_grace_over`, unless
    // there was none. A second call can only shorten the time, and the first reason stays. False
    // where the call changes nothing: it doesn't shorten the time, or all has ended.
    bool stop(const std::string& reason, Duration grace, std::function<void()> on_grace_over);
    // Games that run have all the time they need. False where it is stopping already, or has ended.
    bool drain(const std::string& reason);
    // False where it has ended already.
    bool end(SchedulerEnding::Kind kind);

    bool playing() const { return std::holds_alternative<Playing>(phase_); }
    bool ended() const { return std::holds_alternative<Ended>(phase_); }
    // The games that run are played to their end, and no other begins.
    bool stopping() const { return std::holds_alternative<Stopping>(phase_); }
    // It is stopping, or it ended before all was played.
    bool cut_short() const;
    // Requires: stopping.
    const std::string& stop_reason() const { return std::get<Stopping>(phase_).reason; }
    // When the grace is over; nothing where there is none, or it is over already. Requires:
    // stopping.
    std::optional<Instant> grace_ends() const;

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
    void cancel_grace();

    loop::Timers& timers_;
    std::variant<NotStarted, Playing, Stopping, Ended> phase_;
};

}  // namespace referee::scheduler
