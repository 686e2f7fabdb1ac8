#include <algorithm>

#include "referee/limits.h"
#include "referee/scheduler/scheduler.h"

// Games that were annulled again and again: they are set aside, and tried again alone.

namespace referee::scheduler {
namespace {

Duration rest_before(unsigned try_alone) {
    auto rest = limits::rest_before_try;
    for (unsigned i = 1; i < try_alone && rest < limits::rest_before_try_max; ++i) rest *= 2;
    return std::min(rest, limits::rest_before_try_max);
}

}  // namespace

bool Scheduler::plays_alone() const {
    return std::any_of(tables_.begin(), tables_.end(),
                       [](const auto& table) { return table.second.plan.try_alone > 0; });
}

// When nothing else is played and the machine was at rest for a while, as far as the watch saw.
bool Scheduler::may_try_alone(Slot& slot, const GamePlan& plan) {
    if (!tables_.empty()) return false;
    if (!settings_.stays && plan.try_alone > limits::tries_alone_max) return false;
    const auto now = with_.timers.now();
    const auto rest = rest_before(plan.try_alone);
    const auto at = slot.tries_alone_at.emplace(plan.key, now + rest).first->second;
    if (now < at) {
        pump_later(at);
        return false;
    }
    const auto lost = with_.stalls.stalled(runtime::StallsOf::process, now - rest, now);
    if (lost > Duration::zero() && now < at + limits::unrest_waited_max) {
        pump_later(now + limits::rest_before_try / 10);
        return false;
    }
    slot.tries_alone_at.erase(plan.key);
    return true;
}

// Nothing is left of it but games that were tried alone often enough.
bool Scheduler::hopeless(const Slot& slot) const {
    const auto& contest = *slot.contest;
    const auto& waiting = contest.waiting();
    return !settings_.stays && !slot.preparing && !waiting.empty() &&
           contest.state() == journal::TournamentState::running &&
           std::all_of(waiting.begin(), waiting.end(),
                       [](const auto& plan) { return plan.try_alone > limits::tries_alone_max; });
}

}  // namespace referee::scheduler
