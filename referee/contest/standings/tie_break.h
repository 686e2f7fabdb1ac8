#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "referee/contest/standings/crosstable.h"

// Tie-breaks of individual tournaments by FIDE's definitions (C.07, 2026), carried over to pods;
// README.md says each exactly.

namespace referee::standings {

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
