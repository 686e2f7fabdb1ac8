#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "referee/connections/runtime/timers.h"

namespace referee::scheduler {

// How everything ended.
struct Ending {
    enum class Kind : std::uint8_t {
        finished,      // every tournament is over
        stopped,       // stop() was called
        stuck,         // all is played but games that were annulled too often
        not_recorded,  // the journal failed
    };
    Kind kind = Kind::finished;
    std::string message;
};

// In which phase a scheduler is: not started, playing, stopping, ended, in this order; it may leave
// some out, and never goes back. On the loop's thread.
class Course {
 public:
    // The timers outlive this.
    explicit Course(runtime::Timers& timers) : timers_(timers) {}
    ~Course() { cancel_grace(); }
    Course(const Course&) = delete;
    Course& operator=(const Course&) = delete;
    Course(Course&&) = delete;
    Course& operator=(Course&&) = delete;

    // It plays, where it is neither stopping nor at its end.
    void start();
    // Games that run have so long; `on_grace_over` is told then, and not where the grace is none. A
    // second call can only shorten the time: false where it doesn't, or all has ended. The reason
    // is the first one's.
    bool stop(const std::string& reason, Duration grace, std::function<void()> on_grace_over);
    // Games that run have all their time. False where it is stopping already, or has ended.
    bool drain(const std::string& reason);
    // False where it has ended already.
    bool end(Ending::Kind kind);

    bool playing() const { return std::holds_alternative<Playing>(phase_); }
    bool ended() const { return std::holds_alternative<Ended>(phase_); }
    // While games are played to their end because somebody wants no more.
    bool stopping() const { return std::holds_alternative<Stopping>(phase_); }
    // Stopping, or at an end that came before all was played.
    bool cut_short() const;
    // Requires: stopping.
    const std::string& stop_reason() const { return std::get<Stopping>(phase_).reason; }
    // Nothing where there is no such time, or it is over. Requires: stopping.
    std::optional<Instant> grace_ends() const;

 private:
    struct NotStarted {};
    struct Playing {};
    struct Grace {
        runtime::Timers::Id timer = 0;
        Instant ends{};
    };
    struct Stopping {
        std::string reason;
        std::optional<Grace> grace;  // until it is over
    };
    struct Ended {
        Ending::Kind kind = Ending::Kind::finished;
    };
    void cancel_grace();

    runtime::Timers& timers_;
    std::variant<NotStarted, Playing, Stopping, Ended> phase_;
};

}  // namespace referee::scheduler
