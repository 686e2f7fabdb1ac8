#pragma once

#include <cstddef>
#include <cstdint>

// How large a map may be. Everything here is far above what a course plays; it keeps one map from
// taking the machine.

namespace engines::e7_planets {

// The grid is written into every whole state, about three bytes a cell.
inline constexpr std::int64_t rows_max = 1000;
inline constexpr std::int64_t columns_max = 1000;

// Bots in MATLAB and JavaScript keep numbers as doubles, which hold every integer up to here.
// Bounds a nebula, a scrap's value and the value of all scraps together.
inline constexpr std::int64_t value_max = (std::int64_t{1} << 53) - 1;

// A turn of the game is at least a message there and back: a million of them is hours.
inline constexpr std::int64_t turns_max = 1'000'000;

inline constexpr std::size_t ghosts_max = 1000;

// Every turn adds a row for the ship and for each ghost to the state, about eight bytes a row:
// (1 + ghosts) * turns is at most this.
inline constexpr std::int64_t history_rows_max = 10'000'000;

}  // namespace engines::e7_planets
