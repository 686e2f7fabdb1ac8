#pragma once

#include <cstdint>
#include <utility>

// FIDE's Berger tables (C.05, annex 1) for any number of players, worked out pair by pair.

namespace referee::formats::berger {

// Rounds of one cycle: n-1, or n where n is odd.
std::uint32_t rounds(std::uint32_t players);
// Boards of a round, the board of the bye included.
std::uint32_t boards(std::uint32_t players);

struct Pair {
    std::uint32_t white = 0;  // pairing numbers from 1
    std::uint32_t black = 0;
};
// The pair on a board of a round, both from 0, in the order of the printed table. With an odd
// number of players board 0 has the bye: one of its numbers is players + 1.
// Requires: at least 2 players; round and board within the table.
Pair pair(std::uint32_t players, std::uint32_t round, std::uint32_t board);

}  // namespace referee::formats::berger
