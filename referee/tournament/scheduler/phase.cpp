#include "referee/tournament/scheduler/phase.h"

#include <algorithm>
#include <utility>

#include "protocol/base/text.h"
#include "referee/limits.h"
#include "referee/tournament/scheduler/scheduler.h"

namespace referee::scheduler {

void SchedulerPhase::start() {
    if (std::holds_alternative<NotStarted>(phase_)) phase_ = Playing{};
}

bool SchedulerPhase::stop(const std::string& reason, Duration grace,
                          std::function<void()> on_grace_over) {
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

bool SchedulerPhase::drain(const std::string& reason) {
    if (stopping() || ended()) return false;
    phase_ = Stopping{reason, std::nullopt};
    return true;
}

bool SchedulerPhase::end(SchedulerEnding::Kind kind) {
    if (ended()) return false;
    cancel_grace();
    phase_ = Ended{kind};
    return true;
}

bool SchedulerPhase::cut_short() const {
    if (stopping()) return true;
    const auto* end = std::get_if<Ended>(&phase_);
    return end != nullptr && (end->kind == SchedulerEnding::Kind::stopped ||
                              end->kind == SchedulerEnding::Kind::not_recorded);
}

std::optional<Instant> SchedulerPhase::grace_ends() const {
    const auto& grace = std::get<Stopping>(phase_).grace;
    return grace ? std::optional(grace->ends) : std::nullopt;
}

void SchedulerPhase::cancel_grace() {
    auto* stopping = std::get_if<Stopping>(&phase_);
    if (stopping == nullptr || !stopping->grace) return;
    timers_.cancel(stopping->grace->timer);
    stopping->grace.reset();
}

// How a scheduler stops before all is played.

void Scheduler::stop(const std::string& reason, Duration grace) {
    const auto grace_over = [this] {
        tables_.stop(std::nullopt,
                     "the referee was stopped, and the game did not end within the time that was "
                     "left to it");
        check_over();
        bound_writing();
    };
    if (!phase_.stop(reason, grace, grace_over)) return;
    // Nobody waits for what other machines play: it may take long.
    executor_matches_.take_all_back("the referee was stopped");
    if (grace > Duration::zero() && !tables_.empty()) return check_over();
    tables_.stop(std::nullopt, "the referee was stopped");
    check_over();
    bound_writing();
}

// A disk that takes nothing doesn't hold up the end.
void Scheduler::bound_writing() {
    if (phase_.ended()) return;
    const auto reason = phase_.stop_reason();
    phase_.stop(reason, limits::last_writing_max, [this, reason] {
        if (records_.due() > 0)
            end(EndKind::not_recorded,
                fmt::format("{}, and {} steps of the tournaments are not written down yet: what "
                            "the disk takes no more is played again",
                            reason, records_.due()));
    });
}

void Scheduler::drain(const std::string& reason) {
    if (!phase_.drain(reason)) return;
    executor_matches_.take_unbegun_back("the referee ends before a machine took it");
    check_over();
}

void Scheduler::go_on() {
    phase_.playing() ? look() : check_stopped();
}

// Nothing is being played, drawn or written.
bool Scheduler::is_settled() const {
    return tables_.empty() && executor_matches_.size() == 0 && records_.due() == 0 &&
           std::none_of(slots_.begin(), slots_.end(),
                        [](const auto& slot) { return slot->drawing_in_background; });
}

void Scheduler::check_stopped() {
    if (phase_.stopping() && is_settled()) end(EndKind::stopped, phase_.stop_reason());
}

}  // namespace referee::scheduler
