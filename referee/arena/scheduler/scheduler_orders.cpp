#include <algorithm>
#include <utility>

#include "protocol/base/assertion.h"
#include "referee/arena/scheduler/scheduler.h"

// What an instructor may order while tournaments are played.

namespace referee::scheduler {

using journal::TournamentState;

std::vector<const Contest*> Scheduler::contests() const {
    std::vector<const Contest*> all;
    for (const auto& slot : slots_) all.push_back(slot->contest.get());
    return all;
}

Contest* Scheduler::contest_named(std::string_view id) {
    for (const auto& slot : slots_) {
        if (slot->contest->config().id == id) return slot->contest.get();
    }
    return nullptr;
}

std::size_t Scheduler::games_running(const Contest& contest) const {
    return static_cast<std::size_t>(std::count_if(
        tables_.begin(), tables_.end(),
        [&](const auto& table) { return table.second.slot->contest.get() == &contest; }));
}

Scheduler::Slot& Scheduler::slot_of(const Contest& contest) {
    const auto found = std::find_if(slots_.begin(), slots_.end(), [&](const auto& slot) {
        return slot->contest.get() == &contest;
    });
    REFEREE_ASSERT(found != slots_.end());
    return **found;
}

bool Scheduler::refuse_for_now(const Slot& slot, const OnOrdered& on_ordered) const {
    if (stopping_ || ended_) {
        on_ordered("the referee is stopping");
        return true;
    }
    if (slot.preparing) {
        on_ordered("the next round of " + slot.contest->config().id +
                   " is being drawn; try again in a moment");
        return true;
    }
    return false;
}

void Scheduler::order(Slot& slot, Contest::Ordered ordered, OnOrdered on_ordered,
                      std::function<void()> then) {
    if (const auto* refused = std::get_if<std::string>(&ordered)) {
        on_ordered(*refused);
        return;
    }
    record(&slot, std::get<std::vector<journal::Record>>(std::move(ordered)),
           [this, on_ordered = std::move(on_ordered), then = std::move(then)] {
               if (then) then();
               on_ordered(std::nullopt);
               pump();
           });
}

void Scheduler::begin(Contest& contest, std::vector<tournament::Entry> field,
                      std::string config_text, std::string version, OnOrdered on_ordered) {
    auto& slot = slot_of(contest);
    if (refuse_for_now(slot, on_ordered)) return;
    if (contest.begun()) {
        on_ordered(contest.config().id + " has begun already");
        return;
    }
    auto records = contest.begin(std::move(field), std::move(config_text), std::move(version));
    auto running = contest.set_state(TournamentState::running, "started");
    for (auto& record : std::get<std::vector<journal::Record>>(running))
        records.push_back(std::move(record));
    order(slot, std::move(records), std::move(on_ordered),
          [this, &contest] { observer_.on_state(contest, "started"); });
}

void Scheduler::start_now(Contest& contest, OnOrdered on_ordered) {
    auto& slot = slot_of(contest);
    if (refuse_for_now(slot, on_ordered)) return;
    const bool gathers = !tournament::traits_of(contest.config().format).pairs_who_is_free;
    const bool waits = contest.state() == TournamentState::running && gathers && !slot.gathered &&
                       !missing(slot).empty();
    if (!waits) {
        const auto state = contest.state();
        on_ordered(contest.config().id + (state == TournamentState::running
                                              ? std::string(" does not wait for bots to connect")
                                              : " is " + std::string(journal::name_of(state))));
        return;
    }
    slot.gathered = true;
    on_ordered(std::nullopt);
    pump();
}

void Scheduler::pause(Contest& contest, const std::string& reason, OnOrdered on_ordered) {
    auto& slot = slot_of(contest);
    if (refuse_for_now(slot, on_ordered)) return;
    order(slot, contest.set_state(TournamentState::paused, reason), std::move(on_ordered),
          [this, &contest, reason] { observer_.on_state(contest, reason); });
}

void Scheduler::resume(Contest& contest, const std::string& reason, OnOrdered on_ordered) {
    auto& slot = slot_of(contest);
    if (refuse_for_now(slot, on_ordered)) return;
    if (contest.state() == TournamentState::waiting) {
        on_ordered(contest.config().id + " has not begun: expected the order start");
        return;
    }
    const auto state = contest.begun() ? TournamentState::running : TournamentState::waiting;
    order(slot, contest.set_state(state, reason), std::move(on_ordered), [this, &slot, reason] {
        slot.called_at.reset();
        slot.resumed_at = with_.timers.now();
        observer_.on_state(*slot.contest, reason);
    });
}

void Scheduler::abort(Contest& contest, const std::string& reason, OnOrdered on_ordered) {
    auto& slot = slot_of(contest);
    if (refuse_for_now(slot, on_ordered)) return;
    auto ordered = contest.set_state(TournamentState::aborted, reason);
    if (std::holds_alternative<std::vector<journal::Record>>(ordered))
        stop_games(&slot, "the tournament was aborted: " + reason);
    order(slot, std::move(ordered), std::move(on_ordered),
          [this, &contest, reason] { observer_.on_state(contest, reason); });
}

void Scheduler::withdraw(Contest& contest, const std::string& bot, const std::string& reason,
                         OnOrdered on_ordered) {
    auto& slot = slot_of(contest);
    if (refuse_for_now(slot, on_ordered)) return;
    auto ordered = contest.withdraw(bot, reason);
    const auto* records = std::get_if<std::vector<journal::Record>>(&ordered);
    const auto withdrawal = records == nullptr
                                ? journal::WithdrawalRecord{}
                                : std::get<journal::WithdrawalRecord>(records->front());
    order(slot, std::move(ordered), std::move(on_ordered),
          [this, &contest, withdrawal] { tell_withdrawn(contest, withdrawal); });
}

void Scheduler::admit(Contest& contest, const tournament::Entry& entry, OnOrdered on_ordered) {
    auto& slot = slot_of(contest);
    if (refuse_for_now(slot, on_ordered)) return;
    order(slot, contest.admit(entry), std::move(on_ordered),
          [this, &contest, bot = entry.name] { tell_admitted(contest, bot); });
}

void Scheduler::annul(Contest& contest, const GameKey& key, const std::string& reason,
                      OnOrdered on_ordered) {
    auto& slot = slot_of(contest);
    if (!refuse_for_now(slot, on_ordered))
        order(slot, contest.annul(key, reason), std::move(on_ordered));
}

}  // namespace referee::scheduler
