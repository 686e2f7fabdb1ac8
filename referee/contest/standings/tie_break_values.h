#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "referee/contest/standings/crosstable.h"

// How rounds count towards somebody's tie-breaks: the scores of those met, with FIDE's treatment
// of rounds that weren't played.

namespace referee::standings {

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

struct Contributions {
    std::vector<Tenths> plain;                        // by row: points of all rounds
    std::vector<std::vector<Contribution>> by_round;  // by row
};
Contributions contributions(const Crosstable& table, LastRound last_round);

// The sum of all points, by row.
std::vector<Tenths> plain_scores(const Crosstable& table);

// Whether the player chose not to play.
bool voluntarily_unplayed(RoundKind kind);

// FIDE's table of rating differences (B.02): by how much somebody who scores so many per cent is
// stronger. Requires: 0 <= percent <= 100.
std::int32_t rating_difference(std::int32_t percent);

// Places, from 1, of the rows of a group by the games among themselves; equal where these don't
// decide. In the order of `group`.
std::vector<std::size_t> direct_encounter(const Crosstable& table,
                                          std::span<const std::size_t> group);

}  // namespace referee::standings
