#pragma once

// Sentences for a person about what a bot was told.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/messages.h"

namespace referee::relay {

// "12 ms", "0.377 ms", "1000 ms".
std::string milliseconds_text(std::int64_t us);

// "bob"; "bob, cleo and dan"; empty where nobody else plays.
std::string others_text(const std::vector<std::string>& names, std::size_t seat);

// What the bot did wrong: "your answer came 12 ms late: ...". For an answer over its budget the
// lateness is told; else the words are the referee's.
std::string cause_of(const protocol::Fault& fault);
// What followed from it, as the end of a sentence: "the move counts as missing"; empty where
// nothing did.
std::string_view outcome_of(protocol::Consequence consequence);

// "you won", "you lost", "you drew", "you came 3rd of 4"; with a single seat "you scored 31".
std::string verdict_of(const std::vector<std::int64_t>& places, std::size_t seat,
                       const std::string& score);

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
