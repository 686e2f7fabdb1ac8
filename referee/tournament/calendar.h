#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/net/loop/timers.h"
#include "referee/tournament/scheduler/scheduler.h"

namespace referee::tournament {

// Begins, closes, opens and ends tournaments by the wall clock. That clock may jump, forward and
// back: it is looked at again and again. What has happened is in the contests' records, so nothing
// happens twice, and what was missed happens late.
class Calendar {
 public:
    // Null: there is no wall clock, and nothing comes by the calendar.
    using WallClock = std::function<config::Moment()>;
    // Begins a tournament, for that reason; or says why it can't begin.
    using Begin = std::function<base::Result<void, std::string>(
        const config::TournamentConfig& tournament, const std::string& reason)>;

    // The timers outlive it.
    Calendar(loop::Timers& timers, WallClock wall_clock, Begin begin)
        : timers_(timers), wall_clock_(std::move(wall_clock)), begin_(std::move(begin)) {}
    ~Calendar() { close(); }
    Calendar(const Calendar&) = delete;
    Calendar& operator=(const Calendar&) = delete;

    // From now on these tournaments keep to it, in place of those before. The scheduler has all of
    // them, and outlives it or close().
    void keep(const std::vector<config::TournamentConfig>& tournaments,
              scheduler::Scheduler& scheduler);
    void close() { timers_.cancel(std::exchange(timer_, 0)); }

 private:
    void look();
    scheduler::Timetable look_at(const config::TournamentConfig& tournament, config::Moment now);
    scheduler::Timetable begin(const config::TournamentConfig& tournament, config::Moment now);
    // There will be something to do then.
    void wake_at(config::Moment moment, config::Moment now);

    loop::Timers& timers_;
    WallClock wall_clock_;
    Begin begin_;
    std::vector<config::TournamentConfig> tournaments_;  // those with a calendar
    scheduler::Scheduler* scheduler_ = nullptr;
    loop::Timers::Id timer_ = 0;
    Duration next_look_{};
};

}  // namespace referee::tournament
