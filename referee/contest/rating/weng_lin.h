#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace referee::rating {

// Ratings of players in matches of more than two (Weng and Lin 2011, the Plackett-Luce model):
// a mean and how unsure it is. They depend on the order of the matches: tell them by match number.
struct Skill {
    double mean = 25;
    double deviation = 25.0 / 3;

    // What it is at least, nearly surely: what tables are sorted by.
    double conservative() const { return mean - 3 * deviation; }
};

struct PlacedPlayer {
    std::size_t player = 0;
    int place = 1;  // 1 is best; equal places are level
};

// Requires: each player at most once in a match.
void rate_match(std::vector<Skill>& skills, std::span<const PlacedPlayer> match);

// A new version of the player's program plays from now on. Its mean is the former one's, and less
// sure by what former_worth_matches (new_version.h) says of matches of two; never less sure than at
// first.
void renew(Skill& skill);

}  // namespace referee::rating
