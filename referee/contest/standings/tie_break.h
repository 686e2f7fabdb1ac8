#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "referee/contest/pairing/dutch.h"

// A tournament as tie-breaks see it: for every player, what each round was and what it gave. A
// TRF file and our own results both fill it.

namespace referee::standings {

// Points are counted in tenths, as FIDE's files have them.
using Tenths = std::int64_t;
inline constexpr Tenths tenths_per_point = 10;

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

// Tie-breaks of individual tournaments by FIDE's definitions (C.07, 2026), carried over to pods;
// README.md says each exactly.

enum class TieBreak : std::uint8_t {
    points,
    direct_encounter,
    buchholz,
    buchholz_cut_1,
    median_buchholz,
    sonneborn_berger,
    sonneborn_berger_cut_1,
    progressive,
    wins,
    games_won,
    second_seat_games,
    second_seat_wins,
    rounds_played,
    average_opponent_buchholz,
    fore_buchholz,
    koya,
    average_opponent_rating,
    performance_rating,
    scores,
    average,
    time_used,
};

// What decides where a config doesn't say it, as the handouts have it: points and then scores; in a
// Swiss opponents come next.
inline constexpr std::array usual_order{TieBreak::points, TieBreak::scores};
inline constexpr std::array usual_order_of_swiss{TieBreak::points, TieBreak::scores,
                                                 TieBreak::buchholz_cut_1, TieBreak::buchholz,
                                                 TieBreak::sonneborn_berger};
// Who goes on from one stage to the next: opponents come before scores, unlike in a Swiss alone.
inline constexpr std::array usual_order_of_stage{TieBreak::points, TieBreak::buchholz_cut_1,
                                                 TieBreak::buchholz, TieBreak::sonneborn_berger,
                                                 TieBreak::scores};

struct TieBreakName {
    TieBreak value;
    std::string_view name;  // in configs and reports
    std::string_view code;  // FIDE's, or ours in its manner
};
// In the order of FIDE's table.
std::span<const TieBreakName> tie_break_names();
// By name or by code.
std::optional<TieBreak> tie_break_named(std::string_view text);
std::string_view name_of(TieBreak tie_break);
std::string_view code_of(TieBreak tie_break);

// A cell: a number counted in such small parts that all tie-breaks are exact, or no value (a mean
// of nothing), which ranks last.
using TieBreakValue = std::optional<std::int64_t>;
inline constexpr std::int64_t parts_per_unit = 42'000;  // 1/10 x 1/10 x lcm(1..7)

// Whether less is better.
bool lower_is_better(TieBreak tie_break);
// The number, with two decimals at most and no zeros at the end; "-0" for no value.
std::string text_of(TieBreakValue value);

struct StandingsColumn {
    TieBreak tie_break = TieBreak::points;
    std::vector<TieBreakValue> cells;  // by row of the crosstable
};

// Columns in the order asked for, and where everybody stands.
struct Ranking {
    std::vector<StandingsColumn> columns;
    // Rows that are ranked, best first; where all is equal, in the table's order.
    std::vector<std::size_t> order;
    // By row, from 1; equal in all columns: shared, 1, 2, 2, 4. 0: not ranked.
    std::vector<std::size_t> rank;
};

// Ranks by the columns in their order. Direct encounter is decided inside the ties that the
// columns before it leave.
Ranking rank_by(const Crosstable& table, std::span<const TieBreak> order);

// Scores of opponents are means over a pod: counted in parts of a tenth that divide evenly by
// the number of opponents in any pod.
inline constexpr std::int64_t parts_per_tenth = 420;

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
