#include "referee/tournament/scheduler/tournament_orders.h"

#include <set>
#include <utility>

#include "referee/tournament/scheduler/notices.h"

namespace referee::scheduler {

using records::TournamentState;

void TournamentOrders::tell_state(const Slot& slot, const std::string& reason) {
    observers_.tell(&Observer::on_state, slot.contest->config().id, slot.contest->state(), reason);
}

base::Result<Slot*, std::string> TournamentOrders::slot_for_order(
    const std::string& tournament) const {
    auto* slot = slot_named(slots_, tournament);
    if (slot == nullptr) return base::failure("there is no tournament \"" + tournament + "\"");
    if (phase_.stopping() || phase_.ended()) return base::failure("the referee is stopping");
    if (slot->drawing_in_background)
        return base::failure("the next round of " + tournament +
                             " is being drawn; try again in a moment");
    return slot;
}

void TournamentOrders::take(Slot& slot, contests::Ordered ordered, OnOrdered on_ordered,
                            std::function<void()> then) {
    if (!ordered) return on_ordered(base::failure(std::move(ordered.error())));
    if (ordered->empty()) return on_ordered({});
    records_.write(*slot.contest, *std::move(ordered),
                   [this, on_ordered = std::move(on_ordered), then = std::move(then)] {
                       if (then) then();
                       on_ordered({});
                       look_();
                   });
}

void TournamentOrders::begin(BeginOrder order, OnOrdered on_ordered) {
    const auto slot = slot_for_order(order.tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    auto& contest = *(*slot)->contest;
    if (contest.begun())
        return on_ordered(base::failure(contest.config().id + " has begun already"));
    if (order.only_asks) return on_ordered({});
    auto records = contest.begin(std::move(order.field), std::move(order.config_text),
                                 std::move(order.version));
    auto running = contest.set_state(TournamentState::running, order.reason);
    for (auto& record : running.value()) records.push_back(std::move(record));
    take(**slot, std::move(records), std::move(on_ordered),
         [this, slot = *slot, reason = std::move(order.reason)] {
             slot->timetable = {};  // what it says of a tournament that is to begin
             tell_state(*slot, reason);
         });
}

void TournamentOrders::start_now(const std::string& tournament, const OnOrdered& on_ordered,
                                 bool only_asks) {
    const auto slot = slot_for_order(tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    const auto& contest = *(*slot)->contest;
    const auto state = contest.state();
    if (state != TournamentState::running)
        return on_ordered(
            base::failure(contest.config().id + " is " + std::string(records::name_of(state))));
    if (!(*slot)->attendance.waits_for_arrivals())
        return on_ordered(
            base::failure(contest.config().id + " does not wait for bots to connect"));
    if (only_asks) return on_ordered({});
    (*slot)->attendance.begin_without();
    on_ordered({});
    look_();
}

void TournamentOrders::pause(const std::string& tournament, const std::string& reason,
                             OnOrdered on_ordered, bool only_asks) {
    const auto slot = slot_for_order(tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    take(**slot, (*slot)->contest->set_state(TournamentState::paused, reason, only_asks),
         std::move(on_ordered), [this, slot = *slot, reason] { tell_state(*slot, reason); });
}

void TournamentOrders::resume(const std::string& tournament, const std::string& reason,
                              OnOrdered on_ordered, bool only_asks) {
    const auto slot = slot_for_order(tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    auto& contest = *(*slot)->contest;
    if (contest.state() == TournamentState::waiting)
        return on_ordered(
            base::failure(contest.config().id + " has not begun: expected the order start"));
    const auto state = contest.begun() ? TournamentState::running : TournamentState::waiting;
    take(**slot, contest.set_state(state, reason, only_asks), std::move(on_ordered),
         [this, slot = *slot, reason] {
             slot->attendance.wait_anew();
             tell_state(*slot, reason);
         });
}

void TournamentOrders::abort(const std::string& tournament, const std::string& reason,
                             OnOrdered on_ordered, bool only_asks) {
    const auto slot = slot_for_order(tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    auto ordered = (*slot)->contest->set_state(TournamentState::aborted, reason, only_asks);
    if (ordered && !only_asks) {
        const auto why = "the tournament was aborted: " + reason;
        tables_.stop(tournament, why);
        executor_matches_.take_back(tournament, std::nullopt, why);
    }
    take(**slot, std::move(ordered), std::move(on_ordered),
         [this, slot = *slot, reason] { tell_state(*slot, reason); });
}

void TournamentOrders::withdraw(const std::string& tournament, const std::string& bot,
                                const std::string& reason, OnOrdered on_ordered, bool only_asks) {
    const auto slot = slot_for_order(tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    auto& contest = *(*slot)->contest;
    auto ordered = contest.withdraw(bot, reason, only_asks);
    const auto withdrawal = ordered && !only_asks
                                ? std::get<records::WithdrawalRecord>(ordered->front())
                                : records::WithdrawalRecord{};
    take(**slot, std::move(ordered), std::move(on_ordered), [this, &contest, withdrawal] {
        tell_withdrawn(with_, observers_, contest, withdrawal, display_names_);
    });
}

void TournamentOrders::admit(const std::string& tournament, const formats::Entry& entry,
                             OnOrdered on_ordered, bool only_asks) {
    const auto slot = slot_for_order(tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    auto& contest = *(*slot)->contest;
    take(**slot, contest.admit(entry, only_asks), std::move(on_ordered),
         [this, &contest, bot = entry.name] { tell_admitted(with_, observers_, contest, bot); });
}

void TournamentOrders::annul(const GameKey& key, const std::string& reason, OnOrdered on_ordered,
                             bool only_asks) {
    const auto slot = slot_for_order(key.tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    auto& contest = *(*slot)->contest;
    take(**slot, contest.annul(key, reason, only_asks), std::move(on_ordered),
         [this, &contest, key, reason] {
             tell_annulled(with_, observers_, contest, {{key}, reason}, display_names_);
         });
}

void TournamentOrders::rerun(const RerunOrder& order, const OnRerun& on_rerun) {
    const auto slot = slot_for_order(order.tournament);
    if (!slot) return on_rerun(base::failure(slot.error()));
    auto& contest = *(*slot)->contest;
    auto rerun =
        order.host.empty() ? contest.plan_rerun(order.now) : contest.plan_rerun_of(order.host);
    if (!rerun || order.only_asks || rerun->again.empty()) return on_rerun(rerun);
    const auto before = contest.state();
    take(
        **slot, contest.rerun(*rerun, order.reason),
        [on_rerun, rerun = *rerun](const auto& /*taken*/) { on_rerun(rerun); },
        [this, slot = *slot, before, rerun = *rerun, reason = order.reason] {
            Observer::Annulled annulled{{}, reason};
            for (const auto& match : rerun.again)
                annulled.games.insert(annulled.games.end(), match.games.begin(), match.games.end());
            tell_annulled(with_, observers_, *slot->contest, annulled, display_names_);
            if (slot->contest->state() == before) return;
            slot->attendance.wait_anew();
            tell_state(*slot, reason);
        });
}

void TournamentOrders::reopen(const ReopenOrder& order, const OnReopened& on_reopened) {
    const auto slot = slot_for_order(order.tournament);
    if (!slot) return on_reopened(base::failure(slot.error()));
    auto& contest = *(*slot)->contest;
    const auto plan = contest.plan_reopening(order.also);
    if (!plan || order.only_asks) return on_reopened(plan);
    take(
        **slot, contest.reopen(*plan, order.reason),
        [on_reopened, plan = *plan](const auto& /*taken*/) { on_reopened(plan); },
        [this, slot = *slot, plan = *plan, reason = order.reason] {
            slot->attendance.wait_anew();
            tell_state(*slot, reason);
            for (const auto& bot : plan.back) tell_admitted(with_, observers_, *slot->contest, bot);
            tell_annulled(with_, observers_, *slot->contest, {plan.games, reason}, display_names_);
        });
}

void TournamentOrders::restore(const RestoreOrder& order, const OnRestored& on_restored) {
    const auto slot = slot_for_order(order.tournament);
    if (!slot) return on_restored(base::failure(slot.error()));
    auto& contest = *(*slot)->contest;
    const auto plan = contest.plan_restoration();
    if (!plan || order.only_asks) return on_restored(plan);
    take(
        **slot, contest.restore(*plan, order.reason),
        [on_restored, plan = *plan](const auto& /*taken*/) { on_restored(plan); },
        [this, &contest, games = plan->games, reason = order.reason] {
            tell_annulled(with_, observers_, contest, {games, reason, true}, display_names_);
            std::set<std::uint64_t> matches;
            for (const auto& game : games) matches.insert(game.match);
            for (const auto match : matches) {
                const auto* result = contest.results().find(match);
                if (result == nullptr) continue;
                tell_match(with_.lobby, contest, *result, display_names_);
                observers_.tell(&Observer::on_match, contest.config().id, *result);
            }
        });
}

void TournamentOrders::rule(records::RulingRecord ruling,
                            const contests::Contest::BotsByPlace& places, OnOrdered on_ordered) {
    const auto slot = slot_for_order(ruling.tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    auto& contest = *(*slot)->contest;
    if (!places.empty()) {
        auto placing = contest.placing_of(ruling.match, places);
        if (!placing) return on_ordered(base::failure(std::move(placing.error())));
        ruling.placing = *std::move(placing);
    }
    if (auto wrong = contest.ruling_error(ruling); !wrong.empty())
        return on_ordered(base::failure(std::move(wrong)));
    const auto why = "the arbiter set the result of the match: " + ruling.reason;
    tables_.stop_match(ruling.tournament, ruling.match, why);
    executor_matches_.take_back(ruling.tournament, ruling.match, why);
    auto ordered = contest.rule(ruling);
    take(**slot, std::move(ordered), std::move(on_ordered), [this, &contest, ruling] {
        const auto* result = contest.results().find(ruling.match);
        if (result == nullptr) return;
        tell_match(with_.lobby, contest, *result, display_names_);
        observers_.tell(&Observer::on_match, contest.config().id, *result);
    });
}

void TournamentOrders::forbid(records::ForbiddenPairsRecord pairs, OnOrdered on_ordered) {
    const auto slot = slot_for_order(pairs.tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    auto ordered = (*slot)->contest->forbid(std::move(pairs));
    take(**slot, std::move(ordered), std::move(on_ordered));
}

void TournamentOrders::wish_bye(const records::RequestedByeRecord& bye, OnOrdered on_ordered) {
    const auto slot = slot_for_order(bye.tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    take(**slot, (*slot)->contest->wish_bye(bye), std::move(on_ordered));
}

void TournamentOrders::pair_by_hand(records::HandPairingRecord pairing, bool anyway,
                                    OnOrdered on_ordered) {
    const auto slot = slot_for_order(pairing.tournament);
    if (!slot) return on_ordered(base::failure(slot.error()));
    auto ordered = (*slot)->contest->pair_by_hand(std::move(pairing), anyway);
    take(**slot, std::move(ordered), std::move(on_ordered));
}

base::Result<contests::Contest::RoundOutlook, std::string> TournamentOrders::outlook_of(
    const std::string& tournament) const {
    const auto slot = slot_for_order(tournament);
    if (!slot) return base::failure(slot.error());
    return (*slot)->contest->outlook();
}

}  // namespace referee::scheduler
