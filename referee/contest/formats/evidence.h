#pragma once

#include <set>
#include <string>
#include <vector>

#include "referee/contest/formats/schedule.h"

namespace referee::formats {

// Tells matches that bring something new from those that only repeat. Bots that choose their moves
// without chance play the same game again when they meet again at the same start; the second time
// shows nothing that the first didn't. Tell it the matches in their order.
class Evidence {
 public:
    // False where an earlier match had all of the same games. A match with a game that was recorded
    // without a fingerprint is new.
    bool is_new(const MatchResult& match);
    // The same for any games, by their fingerprints.
    bool is_new(const std::set<std::string>& fingerprints);

 private:
    std::set<std::string> seen_;  // all fingerprints of a match in one: copied often
};

// The matches of a list that are new, by their places in it.
std::vector<bool> new_matches(const std::vector<MatchResult>& matches);

}  // namespace referee::formats
