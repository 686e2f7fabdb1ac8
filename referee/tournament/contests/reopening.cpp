#include "referee/tournament/contests/reopening.h"

#include <algorithm>
#include <set>

#include "referee/tournament/contests/contest.h"

// What undoes an end and a rerun.

namespace referee::contests {

using records::TournamentState;

base::Result<Contest::Returning, std::string> Contest::who_comes_back(
    const std::vector<std::string>& also) const {
    std::set<Entrant> back;
    std::set<Entrant> missed;
    for (const auto& bot : also) {
        const auto entrant = entrant_named(bot);
        if (!entrant) return base::failure(unknown_bot(bot));
        if (!withdrawn(*entrant) && matches_.missed_last(*entrant).empty())
            return base::failure(bot + " is not withdrawn from " + config_.id +
                                 ", and came to its last match");
        (withdrawn(*entrant) ? back : missed).insert(*entrant);
    }
    for (const auto& [entrant, reason] : gone()) {
        if (withdrawn_as_idle(entrant)) back.insert(entrant);
    }
    return Returning{{back.begin(), back.end()}, {missed.begin(), missed.end()}};
}

// Bots that were never withdrawn: nobody lets them in again.
std::string Contest::who_else_missed() const {
    std::string bots;
    for (Entrant entrant = 0; entrant < entrants_.size(); ++entrant) {
        if (!withdrawn(entrant) && !matches_.missed_last(entrant).empty())
            bots += (bots.empty() ? "" : " ") + name(entrant);
    }
    if (bots.empty()) return {};
    return ". Not withdrawn, and not there at the end: what they missed last is played again with "
           "--also " +
           bots;
}

// The round from which they play: where all are drawn, the last one.
std::uint32_t Contest::round_to_come_back(const formats::Schedule& schedule) const {
    return std::min(next_round(), schedule.rounds_planned().value_or(UINT32_MAX));
}

std::string Contest::nothing_left(const Reopening& plan, const formats::Schedule& as_it_is) const {
    const auto early = as_it_is.ended_early();
    const auto answer = as_it_is.answer();
    const std::string cause =
        !plan.kept.empty() ? "match " + match_id(config_.id, plan.kept.front().match) + ": " +
                                 plan.kept.front().why
        : !early.empty()    ? early
        : !answer.empty()   ? answer
        : plan.back.empty() ? "every match is played, and nobody was withdrawn for being away"
                            : "every match is played";
    return "nothing of " + config_.id + " is left to play: " + cause + who_else_missed() +
           ". Bots that were withdrawn by order are let in again with --also BOT; a game that was "
           "played is played again by `replay-game`";
}

// Takes what the bots missed into the plan, as far as the schedule takes other results for it.
void Contest::plan_missed(const std::vector<Entrant>& back, formats::Schedule& schedule,
                          Reopening& plan) const {
    std::set<std::uint64_t> missed;
    for (const auto entrant : back) {
        for (const auto match : matches_.missed_last(entrant)) missed.insert(match);
    }
    const bool by_results = !no_rerun(config_.format).empty();
    for (const auto match : missed) {
        const auto& pairing = matches_.pairing(match);
        const bool short_of_bots =
            std::any_of(pairing.seats.begin(), pairing.seats.end(), [&](auto entrant) {
                return withdrawn(entrant) &&
                       std::find(back.begin(), back.end(), entrant) == back.end();
            });
        if (short_of_bots) {
            plan.kept.push_back({match, "another of its bots stays withdrawn"});
        } else if ((by_results && pairing.round < rounds_.last()) || !schedule.reopen(match)) {
            plan.kept.push_back({match, "what was drawn or decided since depends on it"});
        } else {
            ++plan.matches;
            for (auto& game : matches_.missed_games(match)) plan.games.push_back(std::move(game));
        }
    }
}

base::Result<Reopening, std::string> Contest::plan_reopening(
    const std::vector<std::string>& also) const {
    if (!begun_) return base::failure(config_.id + " has not begun: expected the order start");
    if (!ended(state_))
        return base::failure(config_.id + " is " + std::string(name_of(state_)) +
                             ": expected one that is finished or aborted; `admit` lets a bot in " +
                             "again, and `replay-game` plays a game again");
    const auto asked = who_comes_back(also);
    if (!asked) return base::failure(asked.error());
    Reopening plan;
    plan.aborted = state_ == TournamentState::aborted;
    plan.round = next_round();
    if (rounds_.schedule() == nullptr) {
        for (const auto entrant : asked->back) plan.back.push_back(name(entrant));
        return plan;
    }
    const auto trial = rounds_.schedule()->copy();
    plan.draws_on = !plan.aborted && trial->go_on();
    plan.round = round_to_come_back(*trial);
    std::vector<Entrant> back = asked->missed;
    for (const auto entrant : asked->missed) plan.missed.push_back(name(entrant));
    for (const auto entrant : asked->back) {
        if (trial->come_back(entrant, plan.round)) {
            back.push_back(entrant);
            plan.back.push_back(name(entrant));
        } else if (std::find(also.begin(), also.end(), name(entrant)) != also.end()) {
            return base::failure(name(entrant) + " can't come back: " + config_.id +
                                 " went on without it");
        }
    }
    plan_missed(back, *trial, plan);
    if (plan.aborted || !plan.games.empty()) return plan;
    if (plan.draws_on)
        plan.draws_on = !std::holds_alternative<formats::Schedule::Finished>(trial->next());
    if (!plan.draws_on) return base::failure(nothing_left(plan, *trial));
    return plan;
}

std::vector<records::Record> Contest::reopen(const Reopening& plan,
                                             const std::string& reason) const {
    std::vector<records::Record> records{
        records::StateRecord{config_.id, TournamentState::running, reason}};
    for (const auto& bot : plan.back) {
        const auto& its = entry(*entrant_named(bot));
        records.emplace_back(
            records::EntryRecord{config_.id, bot, its.rating, its.team, plan.round});
    }
    annul_all(plan.games, reason, records);
    return records;
}

base::Result<Restoration, std::string> Contest::plan_restoration() const {
    if (!begun_) return base::failure(config_.id + " has not begun");
    if (state_ == TournamentState::aborted) return base::failure(config_.id + " was aborted");
    Restoration plan;
    for (std::uint64_t match = 1; match <= matches_.last(); ++match) {
        if (!matches_.known(match)) continue;
        const auto games = matches_.restorable(match);
        if (!games.empty()) ++plan.matches;
        plan.games.insert(plan.games.end(), games.begin(), games.end());
        if (matches_.begun_again(match)) plan.begun.push_back(match);
    }
    if (plan.games.empty())
        return base::failure(
            "no game of " + config_.id + " was annulled by order and waits to be played again" +
            (plan.begun.empty() ? ""
                                : "; match " + match_id(config_.id, plan.begun.front()) +
                                      " has begun again, or was given to another machine for that, "
                                      "and what comes of it counts"));
    return plan;
}

std::vector<records::Record> Contest::restore(const Restoration& plan,
                                              const std::string& reason) const {
    std::vector<records::Record> records;
    for (const auto& game : plan.games)
        records.emplace_back(records::RestorationRecord{game, reason});
    return records;
}

void Contest::count_again(const GameKey& key) {
    changed();
    view_.take_game_off(key.match, key.number);
    view_.post(changes_, CommittedView::GamesCounted{1});
    view_.post(changes_, CommittedView::GameRestored{key});
    annulled_.change().erase(key);
    auto after = matches_.restore(key);
    follow(after);
}

}  // namespace referee::contests
