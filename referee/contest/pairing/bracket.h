#pragma once

#include <utility>
#include <vector>

#include "referee/contest/pairing/scope.h"

// Chapters 2 to 4 of C.04.3 for one bracket: the best candidate, the earliest among equals.

namespace referee::pairing {

struct BracketPairing {
    std::vector<std::pair<int, int>> pairs;  // of lineup indices, the higher ranked first
    std::vector<int> downfloaters;           // in ranking order
};

enum class Effort : std::uint8_t {
    sparing,   // looks as far down as it turns out to be needed
    thorough,  // looks at all that is left, always: slow, and the same answer
};

// Requires: all of the bracket and below can be paired legally.
BracketPairing pair_bracket(const Lineup& lineup, const Bracket& bracket, Effort effort);

}  // namespace referee::pairing
