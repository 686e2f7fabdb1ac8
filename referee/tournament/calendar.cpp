#include "referee/tournament/calendar.h"

#include <algorithm>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "referee/contest/formats/format.h"

namespace referee::tournament {
namespace {

using config::moment_text;
using scheduler::Timetable;

// So late a jump of the wall clock is noticed.
constexpr Duration look_every = std::chrono::seconds(15);
// A start that is no later than this is on time.
constexpr std::chrono::seconds on_time = std::chrono::minutes(1);

std::string minutes_text(std::chrono::seconds time) {
    const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(time).count();
    return base::counted(minutes, "minute");
}

}  // namespace

void Calendar::keep(const std::vector<config::TournamentConfig>& tournaments,
                    scheduler::Scheduler& scheduler) {
    if (!wall_clock_) return;
    for (const auto& before : tournaments_) {
        if (scheduler.status_of(before.id)) scheduler.keep_to(before.id, {});
    }
    scheduler_ = &scheduler;
    tournaments_.clear();
    for (const auto& one : tournaments) {
        if (!one.calendar.empty()) tournaments_.push_back(one);
    }
    look();
}

void Calendar::look() {
    close();
    if (tournaments_.empty()) return;
    const auto now = wall_clock_();
    next_look_ = look_every;
    for (const auto& one : tournaments_) scheduler_->keep_to(one.id, look_at(one, now));
    timer_ = timers_.schedule(timers_.now() + next_look_, [this] {
        timer_ = 0;
        look();
    });
}

void Calendar::wake_at(config::Moment moment, config::Moment now) {
    next_look_ = std::min<Duration>(next_look_, moment - now);
}

Timetable Calendar::look_at(const config::TournamentConfig& tournament, config::Moment now) {
    const auto& calendar = tournament.calendar;
    const auto status = scheduler_->status_of(tournament.id);
    if (records::ended(status->state)) return {};
    if (!status->begun) return calendar.starts ? begin(tournament, now) : Timetable{};
    if (calendar.until && now >= *calendar.until) {
        scheduler_->end_ladder(tournament.id);
        return {};
    }
    if (calendar.until) wake_at(*calendar.until, now);
    const auto& hours = calendar.hours;
    const bool closed = hours && !config::is_within(*hours, now);
    auto next = calendar.until;
    if (hours) {
        const auto turns = config::next_at(closed ? hours->from : hours->to, now);
        wake_at(turns, now);
        if (closed && (!next || turns < *next))
            return {"begins matches again on " + moment_text(turns), true};
        if (!closed && (!next || turns < *next))
            return {"begins matches until " + moment_text(turns), false};
    }
    return {next ? "ends on " + moment_text(*next) : std::string(), closed};
}

Timetable Calendar::begin(const config::TournamentConfig& tournament, config::Moment now) {
    const auto starts = *tournament.calendar.starts;
    if (now < starts) {
        wake_at(starts, now);
        return {"begins on " + moment_text(starts), false};
    }
    const auto late = now - starts;
    const auto planned = moment_text(starts);
    const auto begun = begin_(
        tournament, late <= on_time
                        ? "started by the calendar"
                        : "started " + minutes_text(late) + " late: it was to begin on " + planned);
    if (begun) return {};
    return {"was to begin on " + planned + ", and can't yet: " + begun.error(), false};
}

}  // namespace referee::tournament
