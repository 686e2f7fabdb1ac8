#include "referee/tournament/scheduler/contest_waits.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "referee/contest/formats/format.h"

namespace referee::scheduler {
namespace {

using records::TournamentState;
using Kind = Waiting::Kind;

// Why no game of the tournament begins, although all is well.
void add_routine_waits(Slot& slot, const Tables& tables, const Settings& settings,
                       std::vector<Waiting>& found) {
    const auto& contest = *slot.contest;
    Waiting wait{.tournament = contest.config().id, .routine = true};
    const bool ladder = formats::traits_of(contest.config().format).pairs_who_is_free;
    const auto& planned = contest.waiting();
    wait.count = static_cast<std::size_t>(std::count_if(
        planned.begin(), planned.end(), [&](const auto& plan) { return !slot.aside.has(plan); }));
    if (wait.count == 0) {
        if (ladder) return slot.ladder.add_rests(found);
        const auto open = contest.open_matches();
        const auto drawn = contest.matches_played() + open.size();
        if (contest.drawn_out() || open.empty() ||
            drawn >= contest.matches_total().value_or(drawn + 1) ||
            contest.round() >= contest.rounds_planned().value_or(UINT32_MAX))
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
    if (tables.size() >= settings.games_at_once) {
        found.push_back(std::move(wait));
        return;
    }
    std::set<std::string> busy;
    for (const auto& plan : planned) {
        if (slot.aside.has(plan)) continue;
        for (const auto entrant : plan.entrants) {
            const auto& bot = slot.field.bot(entrant);
            if (!bot.places().empty() && !contest.plays_no_more(entrant, plan.round))
                busy.insert(bot.name());
        }
    }
    wait.bots.assign(busy.begin(), busy.end());
    if (!busy.empty()) wait.kind = Kind::for_busy;
    if (!busy.empty() || tables.with_launched() >= settings.launched_games_at_once)
        found.push_back(std::move(wait));
}

}  // namespace

void add_far_waits(Slot& slot, const ExecutorMatches& elsewhere, std::vector<Waiting>& found) {
    const auto& contest = *slot.contest;
    if (contest.state() != TournamentState::running || slot.drawing_in_background) return;
    Waiting wait{.kind = Kind::for_machines, .tournament = contest.config().id};
    wait.detail = elsewhere.trouble();
    wait.routine = wait.detail.empty();
    wait.count = elsewhere.of(contest.config().id);
    const auto& planned = contest.waiting();
    const bool more =
        !wait.routine && std::any_of(planned.begin(), planned.end(), [&](const auto& plan) {
            return elsewhere.is_for_it(slot, plan);
        });
    if (wait.count > 0 || more) found.push_back(std::move(wait));
}

void add_waits(Slot& slot, const Tables& tables, const Settings& settings,
               std::vector<Waiting>& found) {
    const auto& contest = *slot.contest;
    const auto add = [&](Kind kind, bool routine, const std::string& detail) {
        found.push_back({.kind = kind,
                         .tournament = contest.config().id,
                         .detail = detail,
                         .routine = routine});
    };
    switch (contest.state()) {
        case TournamentState::waiting:
            return add(Kind::for_start, false, slot.timetable.comes_next);
        case TournamentState::paused:
            return add(Kind::for_resume, false, contest.state_reason());
        case TournamentState::aborted:
        case TournamentState::finished:
            return;
        case TournamentState::running:
            break;
    }
    if (slot.timetable.closed && tables.of(contest.config().id) == 0)
        return add(Kind::for_hours, true, slot.timetable.comes_next);
    if (slot.drawing_in_background) return add(Kind::for_draw, true, "");
    if (slot.attendance.add_arrivals(found)) return;
    slot.aside.add_waits(found);
    const auto before = found.size();
    slot.attendance.add_absences(found);
    if (found.size() == before) add_routine_waits(slot, tables, settings, found);
    slot.ladder.add_leavers(found);
}

}  // namespace referee::scheduler
