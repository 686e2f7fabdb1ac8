#include <algorithm>
#include <array>

#include "protocol/base/find.h"
#include "tests/sim/liveness.h"

// What a wait promises, looked up in the lobby, in results and in records.

namespace tests::sim {
namespace {

using WaitKind = referee::scheduler::Wait::Kind;
using referee::records::TournamentState;

bool is_for_bots(WaitKind kind) {
    using enum referee::scheduler::Wait::Kind;
    constexpr std::array kinds{for_arrivals, for_bot,  for_return, for_busy,
                               for_matches,  for_rest, for_leaver};
    return base::contains(kinds, kind);
}

}  // namespace

std::string Liveness::wrong_with(const referee::scheduler::Wait& wait) const {
    if (is_for_bots(wait.kind) && wait.bots.empty()) return "nobody is named";
    // A game that is tried alone also waits for its bots, and until no other game is played.
    if (wait.until && *wait.until < world_.now() && wait.kind != WaitKind::for_calm)
        return "the time for that is over";
    const auto contest = scheduler_.status_of(wait.tournament);
    if (wait.kind == WaitKind::for_start && contest->state != TournamentState::waiting)
        return "it has begun";
    if (wait.kind == WaitKind::for_resume && contest->state != TournamentState::paused)
        return "it is not paused";
    if (wait.kind == WaitKind::for_place && scheduler_.games_running() == 0)
        return "no game is played";
    if (wait.kind == WaitKind::for_opponents) {
        const auto here =
            static_cast<std::size_t>(std::ranges::count_if(lobby_.bots(), [&](const auto& one) {
                const auto entrant = contest->entrant_named(one.first);
                return entrant && !contest->is_withdrawn(*entrant) && one.second->connected() &&
                       one.second->plays(contest->config->game);
            }));
        if (here != wait.count) return std::to_string(here) + " are";
    }
    if (!is_for_bots(wait.kind)) return {};
    for (const auto& bot : wait.bots) {
        if (auto wrong = wrong_with(wait, bot); !wrong.empty()) return wrong;
    }
    return {};
}

std::string Liveness::wrong_with(const referee::scheduler::Wait& wait,
                                 const std::string& bot) const {
    const auto contest = scheduler_.contest(wait.tournament).snapshot();
    const auto entrant = contest.entrant_named(bot);
    if (!entrant) return bot + " takes no part";
    // A bot that nobody has asked for yet is unknown to the lobby.
    const auto found = lobby_.bots().find(bot);
    const auto* lobby_bot = found == lobby_.bots().end() ? nullptr : found->second.get();
    const bool connected = lobby_bot != nullptr && lobby_bot->connected();
    const auto known = guests_.find({wait.tournament, bot});
    const auto guest = known == guests_.end() ? Guest{} : known->second;
    switch (wait.kind) {
        case WaitKind::for_arrivals:
            if (connected) return bot + " is there";
            break;
        case WaitKind::for_bot:
            if (connected && lobby_bot->plays(contest.config->game)) return bot + " is there";
            break;
        case WaitKind::for_return:
            return connected ? bot + " is there" : "";
        case WaitKind::for_busy:
            return lobby_bot == nullptr || lobby_bot->places().empty() ? bot + " plays nowhere"
                                                                       : "";
        case WaitKind::for_matches: {
            const bool plays = std::ranges::any_of(contest.open, [&](const auto& match) {
                return base::contains(match.seats, *entrant);
            });
            return plays ? "" : bot + " has no match left";
        }
        case WaitKind::for_rest: {
            const bool rests = guest.rests_until > world_.now() ||
                               std::ranges::any_of(wait.bots, [&](const auto& other) {
                                   return apart_until(wait.tournament, bot, other) > world_.now();
                               });
            if (!rests) return bot + " does not rest";
            break;
        }
        case WaitKind::for_leaver:
            if (!guest.has_left) return bot + " has left no match";
            break;
        default:
            break;
    }
    return contest.is_withdrawn(*entrant) ? bot + " is withdrawn" : "";
}

}  // namespace tests::sim
