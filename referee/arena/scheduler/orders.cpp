#include "referee/arena/scheduler/orders.h"

#include <utility>

#include "referee/arena/scheduler/notices.h"

namespace referee::scheduler {

using journal::TournamentState;

void Orders::tell_state(const Slot& slot, const std::string& reason) {
    observer_.on_state(slot.contest->config().id, slot.contest->state(), reason);
}

base::Result<Slot*, std::string> Orders::slot_for_order(const std::string& tournament) const {
    auto* slot = slot_named(slots_, tournament);
    if (slot == nullptr) return base::failure("there is no tournament \"" + tournament + "\"");
    if (course_.stopping() || course_.ended()) return base::failure("the referee is stopping");
    if (slot->drawn_beside)
        return base::failure("the next round of " + tournament +
                             " is being drawn; try again in a moment");
    return slot;
}

void Orders::take(Slot& slot, Ordered ordered, OnOrdered on_ordered, std::function<void()> then) {
    if (!ordered) return on_ordered(base::failure(std::move(ordered.error())));
    records_.write(*slot.contest, *std::move(ordered),
                   [this, on_ordered = std::move(on_ordered), then = std::move(then)] {
                       if (then) then();
                       on_ordered({});
                       look_();
                   });
}

void Orders::begin(const std::string& tournament, std::vector<tournament::Entry> field,
                   std::string config_text, std::string version, OnOrdered on_ordered) {
    const auto slot = slot_for_order(tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    auto& contest = *(*slot)->contest;
    if (contest.begun())
        return on_ordered(base::failure(contest.config().id + " has begun already"));
    auto records = contest.begin(std::move(field), std::move(config_text), std::move(version));
    auto running = contest.set_state(TournamentState::running, "started");
    for (auto& record : running.value()) records.push_back(std::move(record));
    take(**slot, std::move(records), std::move(on_ordered),
         [this, slot = *slot] { tell_state(*slot, "started"); });
}

void Orders::start_now(const std::string& tournament, const OnOrdered& on_ordered) {
    const auto slot = slot_for_order(tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    const auto& contest = *(*slot)->contest;
    const auto state = contest.state();
    if (state != TournamentState::running)
        return on_ordered(
            base::failure(contest.config().id + " is " + std::string(journal::name_of(state))));
    if (!(*slot)->attendance.waits_for_arrivals())
        return on_ordered(
            base::failure(contest.config().id + " does not wait for bots to connect"));
    (*slot)->attendance.begin_without();
    on_ordered({});
    look_();
}

void Orders::pause(const std::string& tournament, const std::string& reason, OnOrdered on_ordered) {
    const auto slot = slot_for_order(tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    take(**slot, (*slot)->contest->set_state(TournamentState::paused, reason),
         std::move(on_ordered), [this, slot = *slot, reason] { tell_state(*slot, reason); });
}

void Orders::resume(const std::string& tournament, const std::string& reason,
                    OnOrdered on_ordered) {
    const auto slot = slot_for_order(tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    auto& contest = *(*slot)->contest;
    if (contest.state() == TournamentState::waiting)
        return on_ordered(
            base::failure(contest.config().id + " has not begun: expected the order start"));
    const auto state = contest.begun() ? TournamentState::running : TournamentState::waiting;
    take(**slot, contest.set_state(state, reason), std::move(on_ordered),
         [this, slot = *slot, reason] {
             slot->attendance.wait_anew();
             tell_state(*slot, reason);
         });
}

void Orders::abort(const std::string& tournament, const std::string& reason, OnOrdered on_ordered) {
    const auto slot = slot_for_order(tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    auto ordered = (*slot)->contest->set_state(TournamentState::aborted, reason);
    if (ordered) tables_.stop(tournament, "the tournament was aborted: " + reason);
    take(**slot, std::move(ordered), std::move(on_ordered),
         [this, slot = *slot, reason] { tell_state(*slot, reason); });
}

void Orders::withdraw(const std::string& tournament, const std::string& bot,
                      const std::string& reason, OnOrdered on_ordered) {
    const auto slot = slot_for_order(tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    auto& contest = *(*slot)->contest;
    auto ordered = contest.withdraw(bot, reason);
    const auto withdrawal = ordered ? std::get<journal::WithdrawalRecord>(ordered->front())
                                    : journal::WithdrawalRecord{};
    take(**slot, std::move(ordered), std::move(on_ordered), [this, &contest, withdrawal] {
        tell_withdrawn(with_, observer_, contest, withdrawal, told_names_);
    });
}

void Orders::admit(const std::string& tournament, const tournament::Entry& entry,
                   OnOrdered on_ordered) {
    const auto slot = slot_for_order(tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    auto& contest = *(*slot)->contest;
    take(**slot, contest.admit(entry), std::move(on_ordered),
         [this, &contest, bot = entry.name] { tell_admitted(with_, observer_, contest, bot); });
}

void Orders::annul(const GameKey& key, const std::string& reason, OnOrdered on_ordered) {
    const auto slot = slot_for_order(key.tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    take(**slot, (*slot)->contest->annul(key, reason), std::move(on_ordered));
}

void Orders::rule(journal::RulingRecord ruling, const Contest::BotsByPlace& places,
                  OnOrdered on_ordered) {
    const auto slot = slot_for_order(ruling.tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    auto& contest = *(*slot)->contest;
    if (!places.empty()) {
        auto placing = contest.placing_of(ruling.match, places);
        if (!placing) return on_ordered(base::failure(std::move(placing.error())));
        ruling.placing = *std::move(placing);
    }
    if (auto wrong = contest.unruly(ruling); !wrong.empty())
        return on_ordered(base::failure(std::move(wrong)));
    tables_.stop_match(ruling.tournament, ruling.match,
                       "the arbiter set the result of the match: " + ruling.reason);
    auto ordered = contest.rule(ruling);
    take(**slot, std::move(ordered), std::move(on_ordered), [this, &contest, ruling] {
        const auto* result = contest.results().find(ruling.match);
        if (result == nullptr) return;
        tell_match(with_.lobby, contest, *result, told_names_);
        observer_.on_match(contest.config().id, *result);
    });
}

void Orders::forbid(journal::ForbiddenPairsRecord pairs, OnOrdered on_ordered) {
    const auto slot = slot_for_order(pairs.tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    auto ordered = (*slot)->contest->forbid(std::move(pairs));
    take(**slot, std::move(ordered), std::move(on_ordered));
}

void Orders::wish_bye(const journal::RequestedByeRecord& bye, OnOrdered on_ordered) {
    const auto slot = slot_for_order(bye.tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    take(**slot, (*slot)->contest->wish_bye(bye), std::move(on_ordered));
}

}  // namespace referee::scheduler
