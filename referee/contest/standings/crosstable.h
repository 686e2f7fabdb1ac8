#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engines/score.h"
#include "referee/contest/pairing/pairing_field.h"
#include "referee/contest/standings/match_result.h"

// A tournament as tie-breaks see it: for every player, what each round was and what it gave. A
// TRF file and our own results both fill it, and rankings are worked out of it.

namespace referee::standings {

// Points are counted in tenths, as FIDE's files have them.
using Tenths = std::int64_t;
inline constexpr Tenths tenths_per_point = 10;
constexpr Tenths tenths_of(engines::Score score) {
    return score.in_halves() * tenths_per_point / 2;
}

// What a match is worth: won against all who are in it, level with all, lost to all.
struct PointSystem {
    Tenths win = 10;
    Tenths draw = 5;
    Tenths loss = 0;
    std::int64_t others = 1;  // how many others a full match has: more in pods
};

// An opponent met in a round, and what the meeting was worth: in a match of two the points of the
// round; in a pod what the same result against everybody would be worth.
struct Meeting {
    std::uint32_t opponent = 0;  // index of its row
    Tenths credit = 0;
};

struct RoundEntry {
    Tenths points = 0;
    std::uint64_t match = 0;          // ordinal; 0 where there was none
    std::uint32_t first_meeting = 0;  // in the row's meetings
    std::uint16_t meetings = 0;       // 1 in a match of two; written for forfeits too
    // Nothing: not played yet, and counts for nothing. In a pod a game is won by who is ahead of
    // all, and drawn by who shares the first place.
    std::optional<pairing::PairingOutcome> outcome;
    bool won = false;          // worth a win, played or not
    bool second_seat = false;  // black

    bool is_game() const { return outcome && pairing::is_played(*outcome); }
    // Whether the player chose not to play.
    bool left_out() const {
        return outcome == pairing::PairingOutcome::half_bye ||
               outcome == pairing::PairingOutcome::absent ||
               outcome == pairing::PairingOutcome::forfeit_loss;
    }
};

struct StandingsRow {
    std::int32_t rating = 0;         // 0: none
    std::vector<RoundEntry> rounds;  // in order; usually one for each round
    std::vector<Meeting> meetings;
    // Beside the rounds: sums over all matches.
    Tenths scores = 0;
    std::int64_t used_us = 0;
    std::uint32_t games = 0;
    bool ranked = true;  // a fixed opponent of others isn't

    std::span<const Meeting> met(const RoundEntry& entry) const {
        return std::span(meetings).subspan(entry.first_meeting, entry.meetings);
    }
    // Appends a round, with whom it was played.
    void add(RoundEntry entry, std::span<const Meeting> with) {
        entry.first_meeting = static_cast<std::uint32_t>(meetings.size());
        entry.meetings = static_cast<std::uint16_t>(with.size());
        meetings.insert(meetings.end(), with.begin(), with.end());
        rounds.push_back(entry);
    }
};

struct Crosstable {
    PointSystem points;
    std::size_t rounds = 0;
    std::vector<StandingsRow> rows;
};

// What a crosstable of our own results is made of, beside these.
struct StandingsSetup {
    std::vector<std::int32_t> ratings;  // by entrant; 0: none
    std::vector<Entrant> unranked;      // fixed opponents
    PointSystem points;                 // what a match is worth
    // The number of rounds for tie-breaks; 0: as many as have results. While a round is being
    // played, its missing results count for nothing.
    std::size_t rounds = 0;
};

// The same in whatever order results are told. Requires: one result for each match; entrants within
// the field.
Crosstable crosstable_of(const StandingsSetup& field, std::span<const MatchResult> matches,
                         std::span<const Bye> byes);

// Scores of opponents are means over a pod: counted in parts of a tenth that divide evenly by
// the number of opponents in any pod.
inline constexpr std::int64_t parts_per_tenth = 420;
// Tie-breaks are counted in parts of one that make all of them exact.
inline constexpr std::int64_t parts_per_unit = 42'000;  // 1/10 x 1/10 x lcm(1..7)

// What a round counts in Buchholz and Sonneborn-Berger.
struct Contribution {
    std::int64_t score = 0;     // of the opponents, in parts of a tenth
    std::int64_t weighted = 0;  // score times the own result, in parts of a hundredth
    bool voluntary = false;     // a round that the player chose not to play: cut first
};

enum class LastRound : std::uint8_t { as_played, drawn_by_all };

// How rounds count towards everybody's tie-breaks, with FIDE's treatment of those that weren't
// played.
struct Contributions {
    std::vector<Tenths> plain;                        // by row: points of all rounds
    std::vector<std::vector<Contribution>> by_round;  // by row
};
Contributions contributions(const Crosstable& table, LastRound last_round);

// FIDE's table of rating differences (B.02): by how much somebody who scores so many per cent is
// stronger. Requires: 0 <= percent <= 100.
std::int32_t rating_difference(std::int32_t percent);

// Places, from 1, of the rows of a group by the games among themselves; equal where these don't
// decide. In the order of `group`.
std::vector<std::size_t> direct_encounter(const Crosstable& table,
                                          std::span<const std::size_t> group);

}  // namespace referee::standings
