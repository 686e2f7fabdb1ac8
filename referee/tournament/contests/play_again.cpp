#include "referee/tournament/contests/play_again.h"

#include <algorithm>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/tournament/contests/contest.h"

namespace referee::contests {
namespace {

using records::TournamentState;

constexpr std::string_view old_results_have_none = "games of it were recorded without a version";

std::string nothing_to_compare(const Rerun& rerun, const std::string& tournament) {
    if (rerun.kept == 0)
        return "nothing of " + tournament + " has been played yet that could be played again";
    const auto bots = base::joined(rerun.untold, "; ", [](const auto& untold) {
        return untold.first + ": " + untold.second.why;
    });
    return "versions can't be told apart in " + tournament + " (" + bots +
           "). Expected bots that the referee launches, or that say a \"version\" in their login, "
           "when a game is played and now; or say which of them changed: --also BOT";
}

std::string nothing_played_by(const std::string& machine, const std::string& tournament,
                              const std::set<std::string>& machines) {
    if (machines.empty())
        return "nothing that counts in " + tournament +
               " was played on another machine: the referee itself played it; a single game is "
               "played again by the order replay-game";
    return "nothing that counts in " + tournament + " was played on \"" + machine +
           "\"; expected one of the machines that played: " + base::joined(machines);
}

// Each game comes before all others that wait: so the last first.
void annul_all(const std::vector<GameKey>& games, const std::string& reason,
               std::vector<records::Record>& records) {
    for (auto game = games.rbegin(); game != games.rend(); ++game)
        records.emplace_back(records::AnnulmentRecord{*game, reason});
}

// Why this contest can't be played again in part; empty: it can.
std::string no_part_again(const Contest& contest) {
    if (auto unfit = no_rerun(contest.config().format); !unfit.empty())
        return contest.config().id + " can't be played again in part: " + unfit;
    if (!contest.begun()) return contest.config().id + " has not begun";
    if (contest.state() == TournamentState::aborted) return contest.config().id + " was aborted";
    return {};
}

// Why nothing of a match is played again, whatever was played; empty: it can be.
std::string kept_anyway(const Contest& contest, std::uint64_t match) {
    if (contest.matches().ruled(match)) return "its result is the arbiter's";
    const auto& seats = contest.matches().pairing(match).seats;
    const bool any_withdrawn =
        std::ranges::any_of(seats, [&](auto seat) { return contest.withdrawn(seat); });
    return any_withdrawn ? "one of its bots is withdrawn" : "";
}

// What of a match was played is played again, as far as `again` has games of it and no obstacle is
// in the way.
void file_match(Rerun::Match again, const std::string& obstacle, Rerun& rerun) {
    if (again.games.empty()) {
        ++rerun.kept;
    } else if (!obstacle.empty()) {
        rerun.kept_although.push_back({again.match, obstacle});
    } else {
        rerun.again.push_back(std::move(again));
    }
}

// Whether anything of the match could be compared.
bool compare(const Contest& contest, std::uint64_t match, const ProgramsNow& now, Rerun& rerun) {
    Rerun::Match again{match, {}, {}, {}};
    std::map<std::string, Rerun::Change> changes;
    std::map<std::string, std::string> untold;
    const ProgramNow unheard_of;
    bool compared = false;
    std::string away;
    for (const auto entrant : contest.matches().pairing(match).seats) {
        again.bots.push_back(contest.name(entrant));
        const auto* today = base::find_in(now, contest.name(entrant));
        if (today != nullptr && today->is_away) away = contest.name(entrant);
    }
    const auto games = contest.matches().games_of(match);
    if (games.empty()) {
        ++rerun.to_come;
        return false;
    }
    for (const auto& game : games) {
        bool stale = false;
        for (const auto entrant : contest.matches().pairing(match).seats) {
            const auto& bot = contest.name(entrant);
            const auto* found = base::find_in(now, bot);
            const auto& today = found == nullptr ? unheard_of : *found;

            const auto before = contest.matches().program_of(game, entrant);
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
    auto obstacle = kept_anyway(contest, match);
    if (obstacle.empty() && !away.empty())
        obstacle =
            away + " is not here, and would lose by not coming; order it again when it is here";
    if (again.games.empty()) {
        for (auto& [bot, why] : untold) {
            auto& sum = rerun.untold[bot];
            sum.why = why;
            ++sum.matches;
        }
    } else if (obstacle.empty()) {
        for (auto& [bot, change] : changes) {
            again.changed.push_back(bot);
            auto& sum = rerun.changes[bot];
            sum.now = change.now;
            sum.before.merge(change.before);
            ++sum.matches;
        }
    }
    file_match(std::move(again), obstacle, rerun);
    return compared;
}

// What undoes an end.

// Those who were withdrawn, and those who only missed their last matches.
struct Returning {
    std::vector<Entrant> back;
    std::vector<Entrant> missed;
};

base::Result<Returning, std::string> who_comes_back(const Contest& contest,
                                                    const std::vector<std::string>& also) {
    std::set<Entrant> back;
    std::set<Entrant> missed;
    for (const auto& bot : also) {
        const auto entrant = contest.entrant_named(bot);
        if (!entrant) return base::failure(contest.unknown_bot(bot));
        if (!contest.withdrawn(*entrant) && contest.matches().missed_last(*entrant).empty())
            return base::failure(bot + " is not withdrawn from " + contest.config().id +
                                 ", and came to its last match");
        (contest.withdrawn(*entrant) ? back : missed).insert(*entrant);
    }
    for (const auto& [entrant, reason] : contest.all_withdrawn()) {
        if (contest.withdrawn_as_idle(entrant)) back.insert(entrant);
    }
    return Returning{{back.begin(), back.end()}, {missed.begin(), missed.end()}};
}

// Bots that were never withdrawn: nobody lets them in again.
std::string who_else_missed(const Contest& contest) {
    std::string bots;
    for (Entrant entrant = 0; entrant < contest.entrants(); ++entrant) {
        if (!contest.withdrawn(entrant) && !contest.matches().missed_last(entrant).empty())
            bots += (bots.empty() ? "" : " ") + contest.name(entrant);
    }
    if (bots.empty()) return {};
    return ". Not withdrawn, and not there at the end: what they missed last is played again with "
           "--also " +
           bots;
}

std::string nothing_left(const Contest& contest, const Reopening& plan,
                         const formats::Schedule& as_it_is) {
    const auto early = as_it_is.ended_early();
    const auto answer = as_it_is.answer();
    const std::string cause =
        !plan.kept.empty() ? "match " + match_id(contest.config().id, plan.kept.front().match) +
                                 ": " + plan.kept.front().why
        : !early.empty()    ? early
        : !answer.empty()   ? answer
        : plan.back.empty() ? "every match is played, and nobody was withdrawn for being away"
                            : "every match is played, and no round is left for the bots that were "
                              "withdrawn; `admit --all` lets them in while one is to be drawn";
    return "nothing of " + contest.config().id + " is left to play: " + cause +
           who_else_missed(contest) +
           ". Bots that were withdrawn by order are let in again with --also BOT; a game that was "
           "played is played again by `replay-game`";
}

// Takes what the bots missed into the plan, as far as the schedule takes other results for it.
void plan_missed(const Contest& contest, const std::vector<Entrant>& back,
                 formats::Schedule& schedule, Reopening& plan) {
    std::set<std::uint64_t> missed;
    for (const auto entrant : back) {
        for (const auto match : contest.matches().missed_last(entrant)) missed.insert(match);
    }
    const bool by_results = !formats::traits_of(contest.config().format).fixed_list;
    for (const auto match : missed) {
        const auto& pairing = contest.matches().pairing(match);
        const bool short_of_bots = std::ranges::any_of(pairing.seats, [&](auto entrant) {
            return contest.withdrawn(entrant) && !base::contains(back, entrant);
        });
        if (short_of_bots) {
            plan.kept.push_back({match, "another of its bots stays withdrawn"});
        } else if ((by_results && pairing.round < contest.rounds().last()) ||
                   !schedule.reopen(match)) {
            plan.kept.push_back({match, "what was drawn or decided since depends on it"});
        } else {
            ++plan.matches;
            for (auto& game : contest.matches().missed_games(match))
                plan.games.push_back(std::move(game));
        }
    }
}

}  // namespace

std::size_t Rerun::games() const {
    std::size_t count = 0;
    for (const auto& match : again) count += match.games.size();
    return count;
}

std::string no_rerun(const formats::FormatConfig& format) {
    if (formats::traits_of(format).fixed_list) return {};
    if (format.kind() == formats::FormatKind::ladder)
        return "a ladder plays on by itself, and rates a new version from its own games: "
               "nothing has to be played again";
    return "in the format " + std::string(name_of(format.kind())) +
           " who meets whom depends on results, so what was drawn since would not fit what is "
           "played again; play a new tournament: the same in the config under another id, then "
           "`referee ctl reload`";
}

base::Result<Rerun, std::string> plan_rerun_of(const Contest& contest, const std::string& machine) {
    if (auto refusal = no_part_again(contest); !refusal.empty()) return base::failure(refusal);
    if (const auto machines = contest.matches().machines(); !machines.contains(machine))
        return base::failure(nothing_played_by(machine, contest.config().id, machines));
    Rerun rerun;
    for (std::uint64_t match = 1; match <= contest.matches().last(); ++match) {
        if (!contest.matches().known(match)) continue;
        Rerun::Match again{match, {}, {}, {}};
        const auto games = contest.matches().games_of(match);
        for (const auto& game : games) {
            if (contest.matches().machine_of(game) == machine) again.games.push_back(game);
        }
        if (games.empty()) {
            ++rerun.to_come;
            continue;
        }
        for (const auto entrant : contest.matches().pairing(match).seats)
            again.bots.push_back(contest.name(entrant));
        file_match(std::move(again), kept_anyway(contest, match), rerun);
    }
    return rerun;
}

base::Result<Rerun, std::string> plan_rerun(const Contest& contest, const ProgramsNow& now) {
    if (auto refusal = no_part_again(contest); !refusal.empty()) return base::failure(refusal);
    Rerun rerun;
    bool compared = false;
    for (std::uint64_t match = 1; match <= contest.matches().last(); ++match) {
        if (contest.matches().known(match))
            compared = compare(contest, match, now, rerun) || compared;
    }
    if (!compared) return base::failure(nothing_to_compare(rerun, contest.config().id));
    return rerun;
}

std::vector<records::Record> records_of(const Contest& contest, const Rerun& rerun,
                                        const std::string& reason) {
    std::vector<GameKey> games;
    for (const auto& match : rerun.again)
        games.insert(games.end(), match.games.begin(), match.games.end());
    std::vector<records::Record> records;
    annul_all(games, reason, records);
    if (!records.empty()) contest.go_on_after(records, reason);
    return records;
}

base::Result<Reopening, std::string> plan_reopening(const Contest& contest,
                                                    const std::vector<std::string>& also) {
    if (!contest.begun())
        return base::failure(contest.config().id + " has not begun: expected the order start");
    if (!ended(contest.state()))
        return base::failure(contest.config().id + " is " + std::string(name_of(contest.state())) +
                             ": expected one that is finished or aborted; `admit` lets a bot in " +
                             "again, and `replay-game` plays a game again");
    const auto asked = who_comes_back(contest, also);
    if (!asked) return base::failure(asked.error());
    Reopening plan;
    plan.aborted = contest.state() == TournamentState::aborted;
    plan.round = contest.next_round();
    if (contest.rounds().schedule() == nullptr) {
        for (const auto entrant : asked->back) plan.back.push_back(contest.name(entrant));
        return plan;
    }
    const auto trial = contest.rounds().schedule()->copy();
    plan.draws_on = !plan.aborted && trial->go_on();
    // Where all are drawn, the last one.
    plan.round = std::min(contest.next_round(), trial->rounds_planned().value_or(UINT32_MAX));
    std::vector<Entrant> back = asked->missed;
    for (const auto entrant : asked->missed) plan.missed.push_back(contest.name(entrant));
    for (const auto entrant : asked->back) {
        if (trial->come_back(entrant, plan.round)) {
            back.push_back(entrant);
            plan.back.push_back(contest.name(entrant));
        } else if (base::contains(also, contest.name(entrant))) {
            return base::failure(contest.name(entrant) + " can't come back: " +
                                 contest.config().id + " went on without it");
        }
    }
    plan_missed(contest, back, *trial, plan);
    if (plan.aborted || !plan.games.empty()) return plan;
    if (plan.draws_on)
        plan.draws_on = !std::holds_alternative<formats::Schedule::Finished>(trial->next());
    if (!plan.draws_on) return base::failure(nothing_left(contest, plan, *trial));
    return plan;
}

std::vector<records::Record> records_of(const Contest& contest, const Reopening& plan,
                                        const std::string& reason) {
    std::vector<records::Record> records{
        records::StateRecord{contest.config().id, TournamentState::running, reason}};
    for (const auto& bot : plan.back) {
        const auto& its = contest.entry(*contest.entrant_named(bot));
        records.emplace_back(
            records::EntryRecord{contest.config().id, bot, its.rating, its.team, plan.round});
    }
    annul_all(plan.games, reason, records);
    return records;
}

base::Result<Restoration, std::string> plan_restoration(const Contest& contest) {
    if (!contest.begun()) return base::failure(contest.config().id + " has not begun");
    if (contest.state() == TournamentState::aborted)
        return base::failure(contest.config().id + " was aborted");
    Restoration plan;
    for (std::uint64_t match = 1; match <= contest.matches().last(); ++match) {
        if (!contest.matches().known(match)) continue;
        const auto games = contest.matches().restorable(match);
        if (!games.empty()) ++plan.matches;
        plan.games.insert(plan.games.end(), games.begin(), games.end());
        if (contest.matches().begun_again(match)) plan.begun.push_back(match);
    }
    if (plan.games.empty())
        return base::failure(
            "no game of " + contest.config().id +
            " was annulled by order and waits to be played again" +
            (plan.begun.empty() ? ""
                                : "; match " + match_id(contest.config().id, plan.begun.front()) +
                                      " has begun again, or was given to another machine for that, "
                                      "and what comes of it counts"));
    return plan;
}

std::vector<records::Record> records_of(const Contest& /*contest*/, const Restoration& plan,
                                        const std::string& reason) {
    std::vector<records::Record> records;
    for (const auto& game : plan.games)
        records.emplace_back(records::RestorationRecord{game, reason});
    return records;
}

}  // namespace referee::contests
