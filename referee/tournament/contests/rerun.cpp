#include "referee/tournament/contests/rerun.h"

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

}  // namespace referee::contests
