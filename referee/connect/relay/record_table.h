#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace referee::relay {

// Won, drawn (the best place shared) and lost.
struct RelayTally {
    std::uint64_t won = 0;
    std::uint64_t drawn = 0;
    std::uint64_t lost = 0;
};

// What a bot came to in one kind of game against the same others.
struct RelayStanding {
    std::uint64_t games = 0;
    RelayTally of_games;  // none with a single seat
    double score = 0;
    double best = 0;  // of one game
    std::uint64_t faults = 0;
    RelayTally of_matches;
    std::int64_t longest_us = 0;  // that was charged for a turn
    bool alone = false;           // a game of a single seat
};

// The kind of game, and against whom.
using Standings = std::map<std::pair<std::string, std::string>, RelayStanding>;

// Lines for people, the last one the sum where there are several.
std::string table_of(const Standings& standings);

// A score without needless digits: "2", "0.5".
std::string score_text(double score);

}  // namespace referee::relay
