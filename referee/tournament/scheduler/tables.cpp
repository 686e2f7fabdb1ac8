#include "referee/tournament/scheduler/tables.h"

#include <algorithm>
#include <utility>

#include "protocol/base/assertion.h"
#include "referee/contest/formats/match.h"
#include "referee/tournament/scheduler/matches_elsewhere.h"
#include "referee/tournament/scheduler/scheduled_contest.h"

namespace referee::scheduler {

using engines::Seat;

Tables::Id Tables::open(contests::GamePlan plan, bool has_launched) {
    const auto id = ++last_;
    auto& running = running_[id];
    running.plan = std::move(plan);
    running.has_launched = has_launched;
    with_launched_ += has_launched ? 1 : 0;
    by_tournament_[running.plan.key.tournament].insert(id);
    alone_ += running.plan.try_alone > 0 ? 1 : 0;
    return id;
}

RunningGame* Tables::find(Id id) {
    const auto found = running_.find(id);
    return found == running_.end() ? nullptr : &found->second;
}

void Tables::await_record(Id id) {
    auto& running = at(id);
    if (std::exchange(running.awaits_record, true)) return;
    for (const auto* bot : running.table->bots()) ++unrecorded_[bot];
}

RunningGame Tables::close(Id id) {
    auto node = running_.extract(id);
    REFEREE_ASSERT(!node.empty());
    auto& running = node.mapped();
    const auto games = by_tournament_.find(running.plan.key.tournament);
    games->second.erase(id);
    if (games->second.empty()) by_tournament_.erase(games);
    alone_ -= running.plan.try_alone > 0 ? 1 : 0;
    with_launched_ -= running.has_launched ? 1 : 0;
    if (running.awaits_record) {
        for (const auto* bot : running.table->bots()) {
            if (--unrecorded_.at(bot) == 0) unrecorded_.erase(bot);
        }
    }
    return std::move(running);
}

const std::set<Tables::Id>& Tables::games_of(std::string_view tournament) const {
    static const std::set<Id> none;
    const auto found = by_tournament_.find(tournament);
    return found == by_tournament_.end() ? none : found->second;
}

std::size_t Tables::of(std::string_view tournament) const {
    return games_of(tournament).size();
}

std::size_t Tables::turns_running() const {
    std::size_t turns = 0;
    for (const auto& [id, running] : running_) {
        if (running.table == nullptr) continue;
        const auto& play = running.table->play();
        for (engines::Seat seat = 0; seat < play.setup().bots.size(); ++seat)
            turns += play.runs(seat) ? 1 : 0;
    }
    return turns;
}

bool Tables::of_match(std::string_view tournament, std::uint64_t match) const {
    const auto& games = games_of(tournament);
    return std::any_of(games.begin(), games.end(),
                       [&](const auto id) { return running_.at(id).plan.key.match == match; });
}

void Tables::stop(std::optional<std::string_view> tournament, const std::string& reason) {
    std::vector<Id> ids;
    for (const auto& [id, running] : running_) {
        if (!tournament || running.plan.key.tournament == *tournament) ids.push_back(id);
    }
    // What follows from the end of one game may close the place of another.
    for (const auto id : ids) {
        if (auto* running = find(id)) running->table->stop(GameStatus::interrupted, reason);
    }
}

void Tables::stop_match(std::string_view tournament, std::uint64_t match,
                        const std::string& reason) {
    for (const auto id : std::set<Id>(games_of(tournament))) {
        auto* running = find(id);
        if (running != nullptr && running->plan.key.match == match)
            running->table->stop(GameStatus::interrupted, reason);
    }
}

void Tables::add_returns(std::vector<Wait>& found) const {
    for (const auto& [id, running] : running_) {
        const auto& table = *running.table;
        for (Seat seat = 0; seat < table.bots().size(); ++seat) {
            const auto deadline = table.deadline(seat);
            if (!deadline || table.bots()[seat]->connected() || table.play().finished()) continue;
            found.push_back({.kind = Wait::Kind::for_return,
                             .tournament = running.plan.key.tournament,
                             .game = table.game_id(),
                             .bots = {table.bots()[seat]->name()},
                             .until = deadline});
        }
    }
}

using engines::Seat;

bool has_launched(ScheduledContest& scheduled, const contests::GamePlan& plan,
                  const BotSupply& supply) {
    return std::any_of(plan.entrants.begin(), plan.entrants.end(), [&](const auto entrant) {
        return supply.launches(scheduled.field.bot(entrant));
    });
}

std::optional<Seating> seating_for(ScheduledContest& scheduled, const contests::GamePlan& plan,
                                   const Tables& tables, Wakeups& wakeups,
                                   const SchedulerContext& context) {
    const auto& contest = *scheduled.contest;
    Seating seating;
    bool busy = false;
    const auto now = context.timers.now();
    for (Seat seat = 0; seat < plan.entrants.size(); ++seat) {
        const auto entrant = plan.entrants[seat];
        auto& bot = scheduled.field.bot(entrant);
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
        const auto until = scheduled.attendance.await(bot);
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

std::set<const lobby::Bot*> bots_wanted(const ScheduledContests& contests,
                                        const MatchesElsewhere& elsewhere,
                                        const BotSupply& supply) {
    std::set<const lobby::Bot*> wanted;
    for (const auto& scheduled : contests) {
        const auto& contest = *scheduled->contest;
        if (scheduled->ladder.pairs_who_is_free() || scheduled->drawing_in_background ||
            scheduled->timetable.closed || contest.state() != records::TournamentState::running)
            continue;
        for (const auto& plan : contest.waiting()) {
            const bool may_begin =
                !scheduled->aside.has(plan) && !elsewhere.is_for_it(*scheduled, plan) &&
                std::all_of(plan.entrants.begin(), plan.entrants.end(), [&](const auto entrant) {
                    return scheduled->field.is_here(entrant) ||
                           supply.launches(scheduled->field.bot(entrant));
                });
            if (!may_begin) continue;
            for (const auto entrant : plan.entrants) wanted.insert(&scheduled->field.bot(entrant));
        }
    }
    return wanted;
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

play::PlaySetup setup_of(const contests::Contest& contest, const contests::GamePlan& plan,
                         const Seating& seating, const BotSupply& supply) {
    auto setup = setup_of(contest.config(), contest.game(), {plan.key, plan.setup, plan.seed, {}},
                          seating, supply);
    // Who is not ready for a match of a ladder has not shown up: that counts for nobody.
    setup.needs_all_ready = formats::traits_of(contest.config().format).pairs_who_is_free &&
                            contest.matches().droppable(plan.key.match);
    for (const auto seat : seating.absent) {
        auto& absence = setup.absences[seat];
        absence.left = seating.bots[seat]->left_game();
        const auto gone = contest.all_withdrawn().find(plan.entrants[seat]);
        if (gone == contest.all_withdrawn().end()) continue;
        absence.withdrawn = "is withdrawn from " + contest.config().id;
        absence.cause = gone->second;
    }
    return setup;
}

}  // namespace referee::scheduler
