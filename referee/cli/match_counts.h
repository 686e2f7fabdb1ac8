#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "referee/config/config.h"
#include "referee/contest/formats/format.h"

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

// The matches of a tournament with a given field.
struct MatchCounts {
    CountRange matches;
    CountRange games;
    double games_usual = 0;  // without those that only a level match has
    // That follow one another: a bot plays one at a time, and a round waits for the one before.
    std::uint64_t chain_most = 0;
    // Of each round, at most: what can be played at the same time, and how many games follow one
    // another in that.
    struct Round {
        std::uint64_t matches = 0;
        std::uint64_t games = 1;
    };
    std::vector<Round> rounds;
    std::size_t seats = 1;  // of a game, at most
};

// `by_jobs`: a bot plays in many matches at the same time. Requires: the format fits the field.
MatchCounts count_matches(const config::TournamentConfig& tournament,
                          std::vector<formats::Entry> field, bool by_jobs);

}  // namespace referee::cli
