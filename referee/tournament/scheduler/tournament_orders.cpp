#include "referee/tournament/scheduler/tournament_orders.h"

#include <utility>

namespace referee::scheduler {

using records::TournamentState;

base::Result<ScheduledContest*, std::string> TournamentOrders::scheduled_for_order(
    const std::string& tournament) const {
    auto* scheduled = scheduled_named(reach_.contests, tournament);
    if (scheduled == nullptr) return base::failure("there is no tournament \"" + tournament + "\"");
    if (reach_.phase.stopping() || reach_.phase.ended())
        return base::failure("the referee is stopping");
    if (scheduled->drawing_in_background)
        return base::failure("the next round of " + tournament +
                             " is being drawn; try again in a moment");
    return scheduled;
}

void TournamentOrders::write(ScheduledContest& scheduled, std::vector<records::Record> ordered,
                             OnOrdered on_ordered) {
    scheduled.contest->carry_out(ordered);
    const auto then = [this, &scheduled, ordered, on_ordered = std::move(on_ordered)] {
        for (const auto& record : ordered) {
            const auto* state = std::get_if<records::StateRecord>(&record);
            if (state != nullptr && !ended(state->state) && state->state != TournamentState::paused)
                scheduled.attendance.wait_anew();
        }
        reach_.notices.recorded(*scheduled.contest, ordered);
        on_ordered({});
        look_();
    };
    reach_.records.write(*scheduled.contest, std::move(ordered), then);
}

bool TournamentOrders::take(const OrderCall& call, const Order& order, OnOrdered on_ordered) {
    const auto scheduled = scheduled_for_order(call.tournament);
    auto ordered = scheduled ? order(*(*scheduled)->contest) : base::failure(scheduled.error());
    const bool carries_out = ordered && !call.previews;
    if (carries_out) {
        write(**scheduled, *std::move(ordered), std::move(on_ordered));
    } else if (ordered) {
        on_ordered({});
    } else {
        on_ordered(base::failure(std::move(ordered.error())));
    }
    return carries_out;
}

template <typename Plan, typename Look>
void TournamentOrders::take_planned(const OrderCall& call, const Look& look,
                                    const OnPlanned<Plan>& on_planned) {
    const auto scheduled = scheduled_for_order(call.tournament);
    if (!scheduled) return on_planned(base::failure(scheduled.error()));
    const auto& contest = *(*scheduled)->contest;
    const base::Result<Plan, std::string> plan = look(contest);
    if (!plan || call.previews) return on_planned(plan);
    auto records = contests::records_of(contest, *plan, call.reason);
    if (records.empty()) return on_planned(plan);
    write(**scheduled, std::move(records),
          [on_planned, plan](const auto& /*taken*/) { on_planned(plan); });
}

void TournamentOrders::begin(const OrderCall& call, const std::vector<formats::Entry>& field,
                             std::string config_text, std::string version, OnOrdered on_ordered) {
    const auto scheduled = scheduled_for_order(call.tournament);
    if (!scheduled) return on_ordered(base::failure(scheduled.error()));
    auto& contest = *(*scheduled)->contest;
    if (contest.begun())
        return on_ordered(base::failure(contest.config().id + " has begun already"));
    if (call.previews) return on_ordered({});
    reach_.records.write(
        contest, contest.begin(field, std::move(config_text), std::move(version), call.reason),
        [this, scheduled = *scheduled, reason = call.reason, on_ordered = std::move(on_ordered)] {
            scheduled->timetable = {};  // what it says of a tournament that is to begin
            reach_.notices.state(*scheduled->contest, reason);
            on_ordered({});
            look_();
        });
}

void TournamentOrders::start_now(const OrderCall& call, const OnOrdered& on_ordered) {
    const auto scheduled = scheduled_for_order(call.tournament);
    if (!scheduled) return on_ordered(base::failure(scheduled.error()));
    const auto& contest = *(*scheduled)->contest;
    const auto state = contest.state();
    if (state != TournamentState::running)
        return on_ordered(
            base::failure(contest.config().id + " is " + std::string(records::name_of(state))));
    if (!(*scheduled)->attendance.waits_for_arrivals())
        return on_ordered(
            base::failure(contest.config().id + " does not wait for bots to connect"));
    if (call.previews) return on_ordered({});
    (*scheduled)->attendance.begin_without();
    on_ordered({});
    look_();
}

bool TournamentOrders::set_state(const OrderCall& call, TournamentState state,
                                 OnOrdered on_ordered) {
    return take(
        call, [&](const auto& contest) { return contest.set_state(state, call.reason); },
        std::move(on_ordered));
}

void TournamentOrders::pause(const OrderCall& call, OnOrdered on_ordered) {
    set_state(call, TournamentState::paused, std::move(on_ordered));
}

void TournamentOrders::resume(const OrderCall& call, OnOrdered on_ordered) {
    const auto resumed = [&](const contests::Contest& contest) -> contests::Ordered {
        if (contest.state() == TournamentState::waiting)
            return base::failure(contest.config().id + " has not begun: expected the order start");
        return contest.set_state(
            contest.begun() ? TournamentState::running : TournamentState::waiting, call.reason);
    };
    take(call, resumed, std::move(on_ordered));
}

void TournamentOrders::abort(const OrderCall& call, OnOrdered on_ordered) {
    if (!set_state(call, TournamentState::aborted, std::move(on_ordered))) return;
    const auto why = "the tournament was aborted: " + call.reason;
    reach_.tables.stop(why, call.tournament);
    reach_.elsewhere.take_back(why, call.tournament);
}

void TournamentOrders::withdraw(const OrderCall& call, const std::string& bot,
                                OnOrdered on_ordered) {
    take(
        call, [&](const auto& contest) { return contest.withdraw(bot, call.reason); },
        std::move(on_ordered));
}

void TournamentOrders::admit(const OrderCall& call, const formats::Entry& entry,
                             OnOrdered on_ordered) {
    take(
        call, [&](const auto& contest) { return contest.admit(entry); }, std::move(on_ordered));
}

void TournamentOrders::annul(const OrderCall& call, const GameKey& key, OnOrdered on_ordered) {
    take(
        call, [&](const auto& contest) { return contest.annul(key, call.reason); },
        std::move(on_ordered));
}

void TournamentOrders::rule(const OrderCall& call, std::uint64_t match,
                            const contests::BotsByPlace& places, const std::string& by,
                            OnOrdered on_ordered) {
    const auto ruled = [&](const contests::Contest& contest) -> contests::Ordered {
        records::RulingRecord ruling{call.tournament, match, {}, call.reason, by};
        if (!places.empty()) {
            auto placing = contests::placing_of(contest, match, places);
            if (!placing) return base::failure(std::move(placing.error()));
            ruling.placing = *std::move(placing);
        }
        auto ordered = contests::rule(contest, ruling);
        if (!ordered || call.previews) return ordered;
        const auto why = "the arbiter set the result of the match: " + call.reason;
        reach_.tables.stop(why, call.tournament, match);
        reach_.elsewhere.take_back(why, call.tournament, match);
        return ordered;
    };
    take(call, ruled, std::move(on_ordered));
}

void TournamentOrders::rerun(const OrderCall& call, const PlanRerun& plan,
                             const OnPlanned<contests::Rerun>& on_planned) {
    take_planned(call, plan, on_planned);
}

void TournamentOrders::reopen(const OrderCall& call, const std::vector<std::string>& also,
                              const OnPlanned<contests::Reopening>& on_planned) {
    take_planned(
        call, [&](const auto& contest) { return contests::plan_reopening(contest, also); },
        on_planned);
}

void TournamentOrders::restore(const OrderCall& call,
                               const OnPlanned<contests::Restoration>& on_planned) {
    take_planned(call, contests::plan_restoration, on_planned);
}

base::Result<contests::RoundOutlook, std::string> TournamentOrders::outlook_of(
    const std::string& tournament) const {
    const auto scheduled = scheduled_for_order(tournament);
    if (!scheduled) return base::failure(scheduled.error());
    return contests::outlook_of(*(*scheduled)->contest);
}

}  // namespace referee::scheduler
