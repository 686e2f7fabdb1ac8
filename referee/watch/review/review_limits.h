#pragma once

#include <cstddef>
#include <cstdint>

namespace referee::review {

// Of fewer values the middle one has no interval at 95 %: six lie on one side of it by chance in
// one of 32 cases, five in one of 16.
inline constexpr std::size_t playouts_min = 6;
// Of each position, where the time is bounded: the curve doesn't depend on the machine.
inline constexpr std::size_t playouts_of_curve = 16;
// Halves an interval of 1,000 playouts; each game still takes its time.
inline constexpr std::size_t playouts_max = 10'000;
// Where all of so many playouts were alike, move for move, bots that cost much play no more.
inline constexpr std::size_t alike_enough = 6;
// Positions looked at where nobody says which: what a page shows as a curve.
inline constexpr std::int64_t positions_wanted = 20;
// Bounds the search for the turns that cost most; a game of 1,000 turns takes about 20.
inline constexpr std::size_t splits_max = 40;
inline constexpr std::size_t turns_told = 3;
// Moves of a turn that are tried; of more, so many are drawn.
inline constexpr std::size_t moves_tried_max = 16;

// Where the time is bounded, the next step begins before so much of it is spent. A step that
// doubles the playouts may take as long as all before it.
inline constexpr double closer_until = 0.45;
inline constexpr double more_to_measure_until = 0.65;
inline constexpr double tries_until = 0.9;

// Of shares: with two digits, less would be told as 0.00. Scores are whole.
inline constexpr double cost_told_min = 0.005;
// For a loss of so much it is told how many playouts show it.
inline constexpr double loss_to_see = 0.1;

}  // namespace referee::review
