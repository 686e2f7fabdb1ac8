#include "referee/tournament/scheduler/phase.h"

#include <utility>

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

}  // namespace referee::scheduler
