// How a scheduler stops before all is played.

#include <algorithm>

#include "referee/limits.h"
#include "referee/tournament/scheduler/scheduler.h"

namespace referee::scheduler {

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
                reason + ", and " + std::to_string(records_.due()) +
                    " steps of the tournaments are not written down yet: what the disk takes no "
                    "more is played again");
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
