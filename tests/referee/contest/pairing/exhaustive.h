#pragma once

#include <set>
#include <utility>

#include "referee/contest/pairing/dutch.h"

// The Dutch rules taken literally: every candidate of a bracket in the order of chapters 3 and 4,
// each judged by all criteria, the best kept. For small fields only; shares with the real thing
// no more than what is known of a player and the colour of a pair.

namespace referee::pairing {

// Pairs of numbers, the smaller first; the bye as (0, number). Empty when the round can't be
// paired.
std::set<std::pair<int, int>> pair_exhaustively(const PairingField& field);

}  // namespace referee::pairing
