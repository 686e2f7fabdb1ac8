#include "referee/tournament/contests/reopening.h"

#include <algorithm>

#include "protocol/base/text.h"
#include "referee/tournament/contests/contest.h"

namespace referee::contests {
namespace {

using formats::FormatKind;
using records::TournamentState;

constexpr std::string_view old_results_have_none = "games of it were recorded without a version";

std::string nothing_to_compare(const Rerun& rerun, const std::string& tournament) {
    if (rerun.kept == 0)
        return "nothing of " + tournament + " has been played yet that could be played again";
    std::string bots;
    for (const auto& [bot, untold] : rerun.untold)
        bots += (bots.empty() ? "" : "; ") + bot + ": " + untold.why;
    return "versions can't be told apart in " + tournament + " (" + bots +
           "). Expected bots that the referee launches, or that say a \"version\" in their login, "
           "when a game is played and now; or say which of them changed: --also BOT";
}

std::string nothing_played_by(const std::string& host, const std::string& tournament,
                              const std::set<std::string>& hosts) {
    if (hosts.empty())
        return "nothing that counts in " + tournament +
               " was played on another machine: the referee itself played it; a single game is "
               "played again by the order replay-game";
    return "nothing that counts in " + tournament + " was played on \"" + host +
           "\"; expected one of the machines that played: " + base::joined(hosts);
}

}  // namespace

std::size_t Rerun::games() const {
    std::size_t count = 0;
    for (const auto& match : again) count += match.games.size();
    return count;
}

std::string no_rerun(const formats::FormatConfig& format) {
    switch (format.kind()) {
        case FormatKind::round_robin:
        case FormatKind::leaderboard:
        case FormatKind::gauntlet:
            return {};
        case FormatKind::ladder:
            return "a ladder plays on by itself, and rates a new version from its own games: "
                   "nothing has to be played again";
        case FormatKind::swiss:
        case FormatKind::knockout:
        case FormatKind::stages:
        case FormatKind::adaptive:
            break;
    }
    return "in the format " + std::string(name_of(format.kind())) +
           " who meets whom depends on results, so what was drawn since would not fit what is "
           "played again; play a new tournament: the same in the config under another id, then "
           "`referee ctl reload`";
}

std::string Contest::no_part_again() const {
    if (auto unfit = no_rerun(config_.format); !unfit.empty())
        return config_.id + " can't be played again in part: " + unfit;
    if (!begun_) return config_.id + " has not begun";
    if (state_ == TournamentState::aborted) return config_.id + " was aborted";
    return {};
}

std::string Contest::kept_anyway(std::uint64_t match) const {
    if (matches_.ruled(match)) return "its result is the arbiter's";
    const auto& seats = matches_.pairing(match).seats;
    const bool any_withdrawn =
        std::any_of(seats.begin(), seats.end(), [this](auto seat) { return withdrawn(seat); });
    return any_withdrawn ? "one of its bots is withdrawn" : "";
}

base::Result<Rerun, std::string> Contest::plan_rerun_of(const std::string& host) const {
    if (auto refusal = no_part_again(); !refusal.empty()) return base::failure(refusal);
    if (const auto hosts = matches_.hosts(); !hosts.contains(host))
        return base::failure(nothing_played_by(host, config_.id, hosts));
    Rerun rerun;
    for (std::uint64_t match = 1; match <= matches_.last(); ++match) {
        if (!matches_.known(match)) continue;
        Rerun::Match again{match, {}, {}, {}};
        const auto games = matches_.games_of(match);
        for (const auto& game : games) {
            if (matches_.host_of(game) == host) again.games.push_back(game);
        }
        if (games.empty()) {
            ++rerun.to_come;
        } else if (again.games.empty()) {
            ++rerun.kept;
        } else if (auto why = kept_anyway(match); !why.empty()) {
            rerun.kept_although.push_back({match, std::move(why)});
        } else {
            for (const auto entrant : matches_.pairing(match).seats)
                again.bots.push_back(name(entrant));
            rerun.again.push_back(std::move(again));
        }
    }
    return rerun;
}

base::Result<Rerun, std::string> Contest::plan_rerun(const ProgramsNow& now) const {
    if (auto refusal = no_part_again(); !refusal.empty()) return base::failure(refusal);
    Rerun rerun;
    bool compared = false;
    for (std::uint64_t match = 1; match <= matches_.last(); ++match) {
        if (matches_.known(match)) compared = compare(match, now, rerun) || compared;
    }
    if (!compared) return base::failure(nothing_to_compare(rerun, config_.id));
    return rerun;
}

// Whether anything of the match could be compared.
bool Contest::compare(std::uint64_t match, const ProgramsNow& now, Rerun& rerun) const {
    Rerun::Match again{match, {}, {}, {}};
    std::map<std::string, Rerun::Change> changes;
    std::map<std::string, std::string> untold;
    const ProgramNow unheard_of;
    bool compared = false;
    std::string away;
    for (const auto entrant : matches_.pairing(match).seats) {
        again.bots.push_back(name(entrant));
        const auto found = now.find(name(entrant));
        if (found != now.end() && found->second.is_away) away = name(entrant);
    }
    const auto games = matches_.games_of(match);
    if (games.empty()) {
        ++rerun.to_come;
        return false;
    }
    for (const auto& game : games) {
        bool stale = false;
        for (const auto entrant : matches_.pairing(match).seats) {
            const auto& bot = name(entrant);
            const auto found = now.find(bot);
            const auto& today = found == now.end() ? unheard_of : found->second;
            const auto before = matches_.program_of(game, entrant);
            const bool known = !today.program.empty() && !before.empty();
            compared = compared || known || today.is_said_to_have_changed;
            if (today.is_said_to_have_changed || (known && today.program != before)) {
                stale = true;
                auto& change = changes[bot];
                change.now = today.program;
                if (!before.empty()) change.before.emplace(before);
            } else if (!known) {
                untold[bot] = today.program.empty() ? today.untold : old_results_have_none;
            }
        }
        if (stale) again.games.push_back(game);
    }
    auto obstacle = kept_anyway(match);
    if (obstacle.empty() && !away.empty())
        obstacle =
            away + " is not here, and would lose by not coming; order it again when it is here";
    if (!again.games.empty() && obstacle.empty()) {
        for (auto& [bot, change] : changes) {
            again.changed.push_back(bot);
            auto& sum = rerun.changes[bot];
            sum.now = change.now;
            sum.before.merge(change.before);
            ++sum.matches;
        }
        rerun.again.push_back(std::move(again));
        return true;
    }
    if (!again.games.empty()) {
        rerun.kept_although.push_back({match, obstacle});
        return true;
    }
    ++rerun.kept;
    for (auto& [bot, why] : untold) {
        auto& sum = rerun.untold[bot];
        sum.why = why;
        ++sum.matches;
    }
    return compared;
}

std::vector<records::Record> Contest::rerun(const Rerun& rerun, const std::string& reason) const {
    std::vector<GameKey> games;
    for (const auto& match : rerun.again)
        games.insert(games.end(), match.games.begin(), match.games.end());
    std::vector<records::Record> records;
    annul_all(games, reason, records);
    if (!records.empty()) go_on_after(records, reason);
    return records;
}

// What undoes an end and a rerun.

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
