#pragma once

#include <set>
#include <string>
#include <vector>

#include "referee/contests/tournament/schedule.h"

namespace referee::tournament {

// Tells matches that bring something new from those that only repeat: bots that choose their moves
// without chance play the same game again when they meet again at the same start, and that shows
// nothing that the first time didn't. Tell it the matches in their order.
class Evidence {
 public:
    // False where the same games, all of them, were a match before. A match with a game that was
    // recorded without a fingerprint is new.
    bool is_new(const MatchResult& match);
    // The same for any games, by their fingerprints.
    bool is_new(std::set<std::string> fingerprints);

 private:
    std::set<std::set<std::string>> seen_;
};

// The matches of a list that are new, by their places in it.
std::vector<bool> new_matches(const std::vector<MatchResult>& matches);

}  // namespace referee::tournament
