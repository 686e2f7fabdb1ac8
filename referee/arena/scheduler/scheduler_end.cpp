#include <utility>
#include <vector>

#include "referee/arena/scheduler/scheduler.h"

// How playing comes to an end: because all is played, or because somebody wants it so.

namespace referee::scheduler {

using journal::TournamentState;

void Scheduler::stop(const std::string& reason, Duration grace) {
    if (ended_) return;
    const auto ends = with_.timers.now() + grace;
    if (stopping_ && grace_timer_ != 0 && ends >= grace_ends_) return;
    if (!std::exchange(stopping_, true)) stop_reason_ = reason;
    with_.timers.cancel(std::exchange(grace_timer_, 0));
    grace_ends_ = ends;
    if (grace <= Duration::zero()) {
        stop_games(nullptr, "the referee was stopped");
    } else {
        grace_timer_ = with_.timers.schedule(ends, [this] {
            grace_timer_ = 0;
            stop_games(nullptr,
                       "the referee was stopped, and the game did not end within the time that was "
                       "left to it");
            check_over();
        });
    }
    check_over();
}

void Scheduler::drain(const std::string& reason) {
    if (stopping_ || ended_) return;
    stopping_ = true;
    stop_reason_ = reason;
    check_over();
}

// Of one tournament, or all.
void Scheduler::stop_games(const Slot* slot, const std::string& reason) {
    std::vector<std::uint64_t> ids;
    for (const auto& [id, running] : tables_) {
        if (slot == nullptr || running.slot == slot) ids.push_back(id);
    }
    for (const auto id : ids) {
        const auto found = tables_.find(id);
        if (found != tables_.end()) found->second.table->stop(GameStatus::interrupted, reason);
    }
}

void Scheduler::check_over() {
    if (ended_) return;
    if (stopping_) {
        if (!tables_.empty() || commits_due_ > 0) return;
        end(Ending::Kind::stopped, stop_reason_);
        return;
    }
    bool all = true;
    std::string missing;
    for (const auto& slot : slots_) {
        const auto state = slot->contest->state();
        if (!slot->preparing && state == TournamentState::running && slot->contest->over())
            finish(*slot);
        const bool lost = hopeless(*slot);
        if (lost) missing += (missing.empty() ? "" : "; ") + slot->contest->set_aside();
        all = all && !slot->ending &&
              (lost || state == TournamentState::finished || state == TournamentState::aborted);
    }
    if (settings_.stays || !all || !tables_.empty() || commits_due_ > 0) return;
    end(missing.empty() ? Ending::Kind::finished : Ending::Kind::stuck, missing);
}

void Scheduler::finish(Slot& slot) {
    slot.ending = true;
    auto ordered = slot.contest->set_state(TournamentState::finished, "every match is played");
    record(&slot, std::get<std::vector<journal::Record>>(std::move(ordered)), [this, &slot] {
        slot.ending = false;
        tell_state(slot, "every match is played");
        check_over();
    });
}

void Scheduler::end(Ending::Kind kind, std::string message) {
    if (std::exchange(ended_, true)) return;
    with_.timers.cancel(std::exchange(timer_, 0));
    with_.timers.cancel(std::exchange(waiting_timer_, 0));
    with_.timers.cancel(std::exchange(grace_timer_, 0));
    on_ended_({kind, std::move(message)});
}

}  // namespace referee::scheduler
