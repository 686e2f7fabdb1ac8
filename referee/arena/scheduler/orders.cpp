#include "referee/arena/scheduler/orders.h"

#include <utility>

#include "referee/arena/scheduler/notices.h"

namespace referee::scheduler {

using journal::TournamentState;

void Orders::tell_state(const Slot& slot, const std::string& reason) {
    observer_.on_state(slot.contest->config().id, slot.contest->state(), reason);
}

Slot* Orders::slot_for_order(const std::string& tournament, const OnOrdered& on_ordered) const {
    auto* slot = slot_named(slots_, tournament);
    if (slot == nullptr) {
        on_ordered("there is no tournament \"" + tournament + "\"");
        return nullptr;
    }
    return refuse_for_now(*slot, on_ordered) ? nullptr : slot;
}

bool Orders::refuse_for_now(const Slot& slot, const OnOrdered& on_ordered) const {
    if (course_.stopping() || course_.ended()) {
        on_ordered("the referee is stopping");
        return true;
    }
    if (slot.drawn_beside) {
        on_ordered("the next round of " + slot.contest->config().id +
                   " is being drawn; try again in a moment");
        return true;
    }
    return false;
}

void Orders::order(Slot& slot, Contest::Ordered ordered, OnOrdered on_ordered,
                   std::function<void()> then) {
    if (const auto* refused = std::get_if<std::string>(&ordered)) {
        on_ordered(*refused);
        return;
    }
    records_.write(*slot.contest, std::get<std::vector<journal::Record>>(std::move(ordered)),
                   [this, on_ordered = std::move(on_ordered), then = std::move(then)] {
                       if (then) then();
                       on_ordered(std::nullopt);
                       look_();
                   });
}

void Orders::begin(const std::string& tournament, std::vector<tournament::Entry> field,
                   std::string config_text, std::string version, OnOrdered on_ordered) {
    auto* slot = slot_for_order(tournament, on_ordered);
    if (slot == nullptr) return;
    auto& contest = *slot->contest;
    if (contest.begun()) {
        on_ordered(contest.config().id + " has begun already");
        return;
    }
    auto records = contest.begin(std::move(field), std::move(config_text), std::move(version));
    auto running = contest.set_state(TournamentState::running, "started");
    for (auto& record : std::get<std::vector<journal::Record>>(running))
        records.push_back(std::move(record));
    order(*slot, std::move(records), std::move(on_ordered),
          [this, slot] { tell_state(*slot, "started"); });
}

void Orders::start_now(const std::string& tournament, OnOrdered on_ordered) {
    auto* slot = slot_for_order(tournament, on_ordered);
    if (slot == nullptr) return;
    auto& contest = *slot->contest;
    if (contest.state() != TournamentState::running || !slot->attendance.waits_for_arrivals()) {
        const auto state = contest.state();
        on_ordered(contest.config().id + (state == TournamentState::running
                                              ? std::string(" does not wait for bots to connect")
                                              : " is " + std::string(journal::name_of(state))));
        return;
    }
    slot->attendance.begin_without();
    on_ordered(std::nullopt);
    look_();
}

void Orders::pause(const std::string& tournament, const std::string& reason, OnOrdered on_ordered) {
    auto* slot = slot_for_order(tournament, on_ordered);
    if (slot == nullptr) return;
    auto& contest = *slot->contest;
    order(*slot, contest.set_state(TournamentState::paused, reason), std::move(on_ordered),
          [this, slot, reason] { tell_state(*slot, reason); });
}

void Orders::resume(const std::string& tournament, const std::string& reason,
                    OnOrdered on_ordered) {
    auto* slot = slot_for_order(tournament, on_ordered);
    if (slot == nullptr) return;
    auto& contest = *slot->contest;
    if (contest.state() == TournamentState::waiting) {
        on_ordered(contest.config().id + " has not begun: expected the order start");
        return;
    }
    const auto state = contest.begun() ? TournamentState::running : TournamentState::waiting;
    order(*slot, contest.set_state(state, reason), std::move(on_ordered), [this, slot, reason] {
        slot->attendance.wait_anew();
        tell_state(*slot, reason);
    });
}

void Orders::abort(const std::string& tournament, const std::string& reason, OnOrdered on_ordered) {
    auto* slot = slot_for_order(tournament, on_ordered);
    if (slot == nullptr) return;
    auto& contest = *slot->contest;
    auto ordered = contest.set_state(TournamentState::aborted, reason);
    if (std::holds_alternative<std::vector<journal::Record>>(ordered))
        tables_.stop(tournament, "the tournament was aborted: " + reason);
    order(*slot, std::move(ordered), std::move(on_ordered),
          [this, slot, reason] { tell_state(*slot, reason); });
}

void Orders::withdraw(const std::string& tournament, const std::string& bot,
                      const std::string& reason, OnOrdered on_ordered) {
    auto* slot = slot_for_order(tournament, on_ordered);
    if (slot == nullptr) return;
    auto& contest = *slot->contest;
    auto ordered = contest.withdraw(bot, reason);
    const auto* records = std::get_if<std::vector<journal::Record>>(&ordered);
    const auto withdrawal = records == nullptr
                                ? journal::WithdrawalRecord{}
                                : std::get<journal::WithdrawalRecord>(records->front());
    order(*slot, std::move(ordered), std::move(on_ordered),
          [this, &contest, withdrawal] { tell_withdrawn(with_, observer_, contest, withdrawal); });
}

void Orders::admit(const std::string& tournament, const tournament::Entry& entry,
                   OnOrdered on_ordered) {
    auto* slot = slot_for_order(tournament, on_ordered);
    if (slot == nullptr) return;
    auto& contest = *slot->contest;
    order(*slot, contest.admit(entry), std::move(on_ordered),
          [this, &contest, bot = entry.name] { tell_admitted(with_, observer_, contest, bot); });
}

void Orders::annul(const GameKey& key, const std::string& reason, OnOrdered on_ordered) {
    auto* slot = slot_for_order(key.tournament, on_ordered);
    if (slot == nullptr) return;
    order(*slot, slot->contest->annul(key, reason), std::move(on_ordered));
}

}  // namespace referee::scheduler
