#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace referee::rating {

// An Elo rating that moves with each match, in the order of the matches: cheap, and never older
// than the last match. Tables with intervals are made by elo.h.
inline constexpr double running_elo_at_first = 1500;
// Elo's K factor, how far one match moves a rating at most: in a player's first matches, and then.
inline constexpr double step_of_newcomers = 32;
inline constexpr std::uint64_t newcomer_matches_max = 20;
inline constexpr double step_of_others = 16;

struct RunningElo {
    double rating = running_elo_at_first;
    std::uint64_t matches = 0;
    std::uint32_t version = 0;  // the newest of its program's versions that played
    std::uint64_t matches_of_version = 0;
    // Where it would be without the fast steps of versions, while the newest has not settled.
    double steady = running_elo_at_first;

    // What a table ranks by. A version that is new moves up in it no faster than any bot, until it
    // has settled: else who says another version in each game would wait for a run of luck.
    double ranked() const;
};

struct RatedSeat {
    std::size_t player = 0;
    int place = 1;  // 1 is best; equal places are level
    std::uint32_t version = 0;
};

// After so many matches the steps of a new version are no longer than those of others.
inline constexpr std::uint64_t version_settles_after = 40;

// Each seat moves by what it got of the others beyond what was expected. With a new version a
// player keeps its rating, and moves fast again: see step_of_new_version(). What a former version
// still plays moves it as if there were no new one.
// Requires: each player at most once in a match.
void move_ratings(std::vector<RunningElo>& players, std::span<const RatedSeat> match);

// Ratings of players in matches of more than two (Weng and Lin 2011, the Plackett-Luce model):
// a mean and how unsure it is. They depend on the order of the matches: tell them by match number.
struct Skill {
    double mean = 25;
    double deviation = 25.0 / 3;
};

// Requires: each player at most once in a match.
void rate_match(std::vector<Skill>& skills, std::span<const RatedSeat> match);

// A new version of the player's program plays from now on. Its mean is the former one's, and less
// sure by what former_worth_matches (elo.h) says of matches of two; never less sure than at
// first.
void renew(Skill& skill);

}  // namespace referee::rating
