#include "referee/tournament/scheduler/seating.h"

#include <algorithm>

#include "referee/contest/formats/match.h"

namespace referee::scheduler {

using engines::Seat;

bool has_launched(Slot& slot, const contests::GamePlan& plan, const BotSupply& supply) {
    return std::any_of(plan.entrants.begin(), plan.entrants.end(), [&](const auto entrant) {
        return supply.launches(slot.field.bot(entrant));
    });
}

std::optional<Seating> seating_for(Slot& slot, const contests::GamePlan& plan, const Tables& tables,
                                   Wakeups& wakeups, const SchedulerContext& context) {
    const auto& contest = *slot.contest;
    Seating seating;
    bool busy = false;
    const auto now = context.timers.now();
    for (Seat seat = 0; seat < plan.entrants.size(); ++seat) {
        const auto entrant = plan.entrants[seat];
        auto& bot = slot.field.bot(entrant);
        seating.bots.push_back(&bot);
        if (!context.supply.stays(bot) && tables.awaits_record(bot)) {
            busy = true;  // it leaves when its last game is recorded
            continue;
        }
        if (bot.free_seats() > 0 && bot.plays(contest.config().game)) {
            if (contest.plays_no_more(entrant, plan.round)) seating.absent.push_back(seat);
            continue;
        }
        if (bot.connected() && bot.plays(contest.config().game)) {
            busy = true;
            continue;
        }
        if (!bot.places().empty()) {
            busy = true;  // it lost its connection, and still sits in another game
            continue;
        }
        if (contest.withdrawn(entrant)) {
            seating.absent.push_back(seat);
            continue;
        }
        context.supply.want(bot);
        const auto until = slot.attendance.await(bot);
        if (now >= until) {
            seating.absent.push_back(seat);
        } else {
            busy = true;
            wakeups.wake_by(until);
        }
    }
    if (busy) return std::nullopt;
    return seating;
}

std::set<const lobby::Bot*> bots_wanted(const Slots& slots, const ExecutorMatches& elsewhere,
                                        const BotSupply& supply) {
    std::set<const lobby::Bot*> wanted;
    for (const auto& slot : slots) {
        const auto& contest = *slot->contest;
        if (slot->ladder.pairs_who_is_free() || slot->drawing_in_background ||
            slot->timetable.closed || contest.state() != records::TournamentState::running)
            continue;
        for (const auto& plan : contest.waiting()) {
            const bool may_begin =
                !slot->aside.has(plan) && !elsewhere.is_for_it(*slot, plan) &&
                std::all_of(plan.entrants.begin(), plan.entrants.end(), [&](const auto entrant) {
                    return slot->field.is_here(entrant) ||
                           supply.launches(slot->field.bot(entrant));
                });
            if (!may_begin) continue;
            for (const auto entrant : plan.entrants) wanted.insert(&slot->field.bot(entrant));
        }
    }
    return wanted;
}

play::PlaySetup setup_of(const contests::Contest& contest, const contests::GamePlan& plan,
                         const Seating& seating, const BotSupply& supply) {
    play::PlaySetup setup;
    setup.key = plan.key;
    setup.game = &contest.game();
    setup.params = formats::setup_for(contest.game(), contest.config().setups[plan.setup],
                                      seating.bots.size());
    setup.seed = plan.seed;
    for (const auto* bot : seating.bots) setup.bots.push_back(bot->name());
    setup.clock = contest.config().clock;
    setup.faults = contest.config().faults;
    setup.ready_budget = contest.config().ready_budget;
    // Who is not ready for a match of a ladder has not shown up: that counts for nobody.
    setup.needs_all_ready = formats::traits_of(contest.config().format).pairs_who_is_free &&
                            contest.matches().droppable(plan.key.match);
    for (const auto seat : seating.absent) {
        auto& absence = setup.absences[seat] = supply.coming(*seating.bots[seat]).absence;
        absence.left = seating.bots[seat]->left_game();
        const auto gone = contest.gone().find(plan.entrants[seat]);
        if (gone == contest.gone().end()) continue;
        absence.withdrawn = "is withdrawn from " + contest.config().id;
        absence.cause = gone->second;
    }
    return setup;
}

}  // namespace referee::scheduler
