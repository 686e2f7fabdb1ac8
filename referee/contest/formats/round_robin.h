#pragma once

#include <cstddef>
#include <cstdint>

#include "referee/contest/formats/round_table.h"

// Everybody meets everybody, two by two or in pods.

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

namespace referee::formats {

// The fewest pods in which so many members can meet so often, by Schönheim's bound: nobody meets
// more than seats - 1 others in a pod.
std::uint64_t pods_least(std::uint64_t members, std::uint64_t seats, std::uint64_t meetings);

// Everybody meets everybody by FIDE's Berger tables: entrant i has number i+1; the seats are
// white and black. Even cycles have the seats reversed. Requires: at least two entrants.
RoundTable berger_table(std::size_t entrants, std::uint32_t cycles, bool swap_last_rounds);

// Pods in which everybody meets everybody at least `cycles` times, by a greedy cover: each pod
// takes the members with the most pairs that still have to meet; of those the ones with the fewest
// matches, then those that met each other least, then the lower number. Numbers of matches, and of
// one entrant's seats, differ by at most one. Nobody plays twice in a round; whoever doesn't play
// has no bye. Requires: 2 <= seats <= entrants.
RoundTable pod_table(std::size_t entrants, std::size_t seats, std::uint32_t cycles);

}  // namespace referee::formats
