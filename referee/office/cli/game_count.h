#pragma once

#include <cstdint>
#include <vector>

#include "referee/config/config.h"
#include "referee/contests/tournament/schedule.h"

namespace referee::cli {

// Both are possible; equal where the number is sure.
struct CountRange {
    std::uint64_t least = 0;
    std::uint64_t most = 0;

    CountRange& operator+=(const CountRange& other) {
        least += other.least;
        most += other.most;
        return *this;
    }
    friend bool operator==(const CountRange&, const CountRange&) = default;
};

// Matches that can be played at the same time, when all before them are over: a round, or all of a
// format that needs no results to draw on.
struct CountedRound {
    CountRange matches;
    CountRange games;
    double games_usual = 0;          // without games that only a level match has
    std::size_t bots = 0;            // that may play in it
    std::size_t seats = 2;           // of a match, at most
    std::uint64_t games_most = 1;    // of a match
    std::uint64_t matches_most = 1;  // of one bot, at most
};

// The rounds of a tournament of these entries, as its format has them: nothing is drawn but tables
// of pods. Where a round may fall out, its least numbers are 0.
// Requires: a format that ends, of which check_format has nothing to say.
std::vector<CountedRound> count_rounds(const config::TournamentConfig& tournament,
                                       const std::vector<tournament::Entry>& entries);

}  // namespace referee::cli
