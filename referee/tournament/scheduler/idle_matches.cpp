#include "referee/tournament/scheduler/idle_matches.h"

#include <utility>

#include "protocol/base/assertion.h"

namespace referee::scheduler {

using formats::Entrant;
using formats::Presence;

void IdleMatches::add(Entrant entrant, Presence presence, std::string cause) {
    const bool idle = presence == Presence::away || presence == Presence::silent;
    if (idle && !cause.empty()) rows_[entrant].cause = std::move(cause);
    switch (presence) {
        case Presence::played:
            rows_.erase(entrant);
            return;
        case Presence::no_turn:
            return;
        case Presence::away:
            ++rows_[entrant].away;
            return;
        case Presence::silent:
            ++rows_[entrant].silent;
            return;
    }
}

void IdleMatches::annulled(Entrant entrant) {
    if (!is_gone(entrant)) rows_.erase(entrant);
}

bool IdleMatches::too_many(Entrant entrant, std::uint32_t most) const {
    const auto row = rows_.find(entrant);
    return most > 0 && row != rows_.end() && row->second.away + row->second.silent >= most;
}

std::string IdleMatches::reason(Entrant entrant) const {
    const auto row = rows_.find(entrant);
    REFEREE_ASSERT(row != rows_.end());
    const auto& [away, silent, cause] = row->second;
    const auto matches = std::to_string(away + silent) +
                         (away + silent == 1 ? " match" : " matches in a row") +
                         (cause.empty() ? std::string() : ", the last time for this: " + cause);
    if (silent == 0) return "it did not show up in " + matches;
    if (away == 0) return "it gave no valid move in " + matches;
    return "it did not show up or gave no valid move in " + matches;
}

void IdleMatches::forget(Entrant entrant) {
    rows_.erase(entrant);
    gone_.erase(entrant);
}

}  // namespace referee::scheduler
