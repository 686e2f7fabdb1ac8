#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "referee/contests/tournament/match.h"

namespace referee::scheduler {

// In how many matches in a row each entrant was away or gave no valid move, in the order in which
// the matches ended. A match in which it had no turn counts neither way.
class IdleMatches {
 public:
    void add(tournament::Entrant entrant, tournament::Presence presence);
    // A game of it does not count any more: it begins anew.
    void annulled(tournament::Entrant entrant);
    // Whether it is time to withdraw it; `most` 0: never.
    bool too_many(tournament::Entrant entrant, std::uint32_t most) const;
    // Why, in plain words. Requires: too_many().
    std::string reason(tournament::Entrant entrant) const;

    // It is withdrawn for that, until forget().
    void go(tournament::Entrant entrant) { gone_.insert(entrant); }
    bool is_gone(tournament::Entrant entrant) const { return gone_.contains(entrant); }
    // It is back, and nothing is held against it.
    void forget(tournament::Entrant entrant);

 private:
    struct Row {
        std::uint32_t away = 0;
        std::uint32_t silent = 0;
    };
    std::map<tournament::Entrant, Row> rows_;
    std::set<tournament::Entrant> gone_;
};

}  // namespace referee::scheduler
