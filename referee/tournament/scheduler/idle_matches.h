#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "referee/contest/formats/match.h"

namespace referee::scheduler {

// In how many matches in a row each entrant was idle: away, or without a valid move. The row is in
// the order in which the matches ended. A match in which it had no turn counts neither way.
class IdleMatches {
 public:
    // `cause`: why, where that is known; it stands in the reason of a withdrawal.
    void add(formats::Entrant entrant, formats::Presence presence, std::string cause = {});
    // A game of the entrant was annulled by order: its row begins anew, unless it is withdrawn.
    void annulled(formats::Entrant entrant);
    // Whether its row has reached `most`, so that it is to be withdrawn; never where `most` is 0.
    bool too_many(formats::Entrant entrant, std::uint32_t most) const;
    // The reason of such a withdrawal, in plain words. Requires: too_many().
    std::string reason(formats::Entrant entrant) const;

    // It is withdrawn for having been idle, until forget().
    void go(formats::Entrant entrant) { gone_.insert(entrant); }
    bool is_gone(formats::Entrant entrant) const { return gone_.contains(entrant); }
    // It is back, and nothing is held against it.
    void forget(formats::Entrant entrant);

 private:
    struct Row {
        std::uint32_t away = 0;
        std::uint32_t silent = 0;
        std::string cause{};  // of the last of them for which one is known
    };
    std::map<formats::Entrant, Row> rows_;
    std::set<formats::Entrant> gone_;
};

}  // namespace referee::scheduler
