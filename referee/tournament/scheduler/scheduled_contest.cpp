#include "referee/tournament/scheduler/scheduled_contest.h"

#include <algorithm>
#include <set>

#include "protocol/base/find.h"
#include "referee/contest/formats/format.h"
#include "referee/contest/formats/gauntlet.h"

namespace referee::scheduler {
namespace {

// Games of a tournament that are drawn before they can begin, for each bot in it: enough to find
// work for whoever is free, little enough that a large round robin stays a few kilobytes.
constexpr std::size_t games_drawn_per_bot = 4;

using records::TournamentState;
using Kind = Wait::Kind;

// Why no game of the tournament begins, although all is well.
void add_routine_waits(ScheduledContest& scheduled, std::vector<Wait>& found) {
    const auto& contest = *scheduled.contest;
    const auto& shared = scheduled.shared;
    const auto& tables = shared.tables;
    Wait wait{.tournament = contest.config().id, .routine = true};
    const bool ladder = formats::traits_of(contest.config().format).pairs_who_is_free;
    const auto& planned = contest.waiting();
    wait.count = static_cast<std::size_t>(std::ranges::count_if(
        planned, [&](const auto& plan) { return !scheduled.aside.has(plan); }));
    if (wait.count == 0) {
        if (ladder) return scheduled.ladder.add_rests(found);
        const auto open = contest.open_matches();
        const auto drawn = contest.view().counts().matches_played + open.size();
        if (contest.rounds().drawn_out() || open.empty() ||
            drawn >= contest.rounds().matches_total().value_or(drawn + 1) ||
            contest.round() >= contest.rounds().planned(contest.entrants()).value_or(UINT32_MAX))
            return;
        wait.kind = Kind::for_matches;
        wait.count = open.size();
        for (const auto& match : open) {
            for (const auto entrant : match.seats) wait.bots.push_back(contest.name(entrant));
        }
        found.push_back(std::move(wait));
        return;
    }
    if (tables.of(contest.config().id) > 0) return;
    wait.kind = Kind::for_place;
    if (tables.size() >= shared.settings.games_at_once) {
        found.push_back(std::move(wait));
        return;
    }
    std::set<std::string> busy;
    for (const auto& plan : planned) {
        if (scheduled.aside.has(plan)) continue;
        for (const auto entrant : plan.entrants) {
            const auto& bot = scheduled.field.bot(entrant);
            if (!bot.places().empty() && !contest.plays_no_more(entrant, plan.round))
                busy.insert(bot.name());
        }
    }
    wait.bots.assign(busy.begin(), busy.end());
    if (!busy.empty()) wait.kind = Kind::for_busy;
    if (!busy.empty() || tables.with_launched() >= shared.settings.launched_games_at_once)
        found.push_back(std::move(wait));
}

}  // namespace

contests::ContestStatus ScheduledContest::status() const {
    auto status = contest->status();
    status.comes_next = timetable.comes_next;
    const auto time = formats::time_of(status.config->format);
    if (time > time.zero() && began)
        status.time_left = std::max(Duration(0), time - (shared.context.timers.now() - *began));
    return status;
}

bool ScheduledContest::holds_others_back() {
    return contest->state() == records::TournamentState::running && !drawing_in_background &&
           aside.hold_others_back();
}

void ScheduledContest::draw_beside(std::function<void()> then) {
    drawing_in_background = true;
    // If this ends meanwhile, the drawing outlives the contest. It may: they share nothing.
    const auto drawing = std::make_shared<contests::Drawing>(contest->drawing());
    shared.context.background.run([drawing] { drawing->run(); },
                                  life.while_it_lasts([this, drawing, then = std::move(then)] {
                                      contest->adopt(std::move(*drawing));
                                      drawing_in_background = false;
                                      then();
                                  }));
}

void ScheduledContest::end_by_time() {
    const auto time = formats::time_of(contest->config().format);
    if (time <= time.zero() || !contest->begun()) return;
    const auto now = shared.context.timers.now();
    if (!began) began = now;
    if (now - *began >= time) contest->end_by_time();
}

std::size_t ScheduledContest::drawn_ahead() {
    if (!formats::traits_of(contest->config().format).may_end_any_time)
        return contest->entrants() * games_drawn_per_bot;
    return std::max<std::size_t>(1, field.bot(formats::gauntlet_candidate).free_seats());
}

void ScheduledContest::add_waits(std::vector<Wait>& found) {
    const auto add = [&](Kind kind, bool routine, const std::string& detail) {
        found.push_back({.kind = kind,
                         .tournament = contest->config().id,
                         .detail = detail,
                         .routine = routine});
    };
    switch (contest->state()) {
        case TournamentState::waiting:
            return add(Kind::for_start, false, timetable.comes_next);
        case TournamentState::paused:
            return add(Kind::for_resume, false, contest->state_reason());
        case TournamentState::aborted:
        case TournamentState::finished:
            return;
        case TournamentState::running:
            break;
    }
    if (timetable.closed && shared.tables.of(contest->config().id) == 0)
        return add(Kind::for_hours, true, timetable.comes_next);
    if (drawing_in_background) return add(Kind::for_draw, true, "");
    if (attendance.add_arrivals(found)) return;
    aside.add_waits(found);
    const auto before = found.size();
    attendance.add_absences(found);
    if (found.size() == before)
        add_routine_waits(*this, found);
    else
        ladder.add_unmatched(found);
    ladder.add_leavers(found);
}

// Who sits down at its games.

bool ScheduledContest::has_launched(const contests::GamePlan& plan) {
    return std::ranges::any_of(plan.entrants, [this](const auto entrant) {
        return shared.context.supply.launches(field.bot(entrant));
    });
}

std::optional<Seating> ScheduledContest::seating_for(const contests::GamePlan& plan) {
    Seating seating;
    bool busy = false;
    const auto now = shared.context.timers.now();
    auto& supply = shared.context.supply;
    for (engines::Seat seat = 0; seat < plan.entrants.size(); ++seat) {
        const auto entrant = plan.entrants[seat];
        auto& bot = field.bot(entrant);
        seating.bots.push_back(&bot);
        if (!supply.stays(bot) && shared.tables.awaits_record(bot)) {
            busy = true;  // it leaves when its last game is recorded
            continue;
        }
        if (bot.free_seats() > 0 && bot.plays(contest->config().game)) {
            if (contest->plays_no_more(entrant, plan.round)) seating.absent.push_back(seat);
            continue;
        }
        if (bot.connected() && bot.plays(contest->config().game)) {
            busy = true;
            continue;
        }
        if (!bot.places().empty()) {
            busy = true;  // it lost its connection, and still sits in another game
            continue;
        }
        if (contest->withdrawn(entrant)) {
            seating.absent.push_back(seat);
            continue;
        }
        supply.want(bot);
        const auto until = attendance.await(bot);
        if (now >= until) {
            seating.absent.push_back(seat);
        } else {
            busy = true;
            shared.looks.wake_by(until);
        }
    }
    if (busy) return std::nullopt;
    return seating;
}

play::PlaySetup setup_of(const config::TournamentConfig& tournament, const engines::Game& rules,
                         const MatchTask::Game& game, const Seating& seating,
                         const BotSupply& supply) {
    play::PlaySetup setup;
    setup.key = game.key;
    setup.game = &rules;
    setup.params = formats::setup_for(rules, tournament.setups[game.setup], seating.bots.size());
    setup.seed = game.seed;
    for (const auto* bot : seating.bots) setup.bots.push_back(bot->name());
    setup.clock = tournament.clock;
    setup.faults = tournament.faults;
    setup.ready_budget = tournament.ready_budget;
    for (const auto seat : seating.absent)
        setup.absences[seat] = supply.coming(*seating.bots[seat]).absence;
    return setup;
}

play::PlaySetup ScheduledContest::setup_of(const contests::GamePlan& plan,
                                           const Seating& seating) const {
    auto setup =
        scheduler::setup_of(contest->config(), contest->game(),
                            {plan.key, plan.setup, plan.seed, {}}, seating, shared.context.supply);
    // Who is not ready for a match of a ladder has not shown up: that counts for nobody.
    setup.needs_all_ready =
        ladder.pairs_who_is_free() && contest->matches().droppable(plan.key.match);
    for (const auto seat : seating.absent) {
        auto& absence = setup.absences[seat];
        absence.left = seating.bots[seat]->left_game();
        const auto* reason = base::find_in(contest->all_withdrawn(), plan.entrants[seat]);
        if (reason == nullptr) continue;
        absence.withdrawn = "is withdrawn from " + contest->config().id;
        absence.cause = *reason;
    }
    return setup;
}

}  // namespace referee::scheduler
