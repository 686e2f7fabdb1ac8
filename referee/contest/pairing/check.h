#pragma once

#include <string>
#include <vector>

#include "referee/contest/pairing/dutch.h"

// The checker: derives each round that was played again, from what was known before it, and tells
// where the two part.

namespace referee::pairing {

struct RoundCheck {
    int round = 1;
    std::vector<Board> played;   // boards that were played and not derived
    std::vector<Board> derived;  // boards that were derived and not played
    int bye_played = nobody;     // set where they differ
    int bye_derived = nobody;
    std::string no_legal_pairing;  // why nothing could be derived, if so

    bool agrees() const;
};

// One entry a round. Where the total is not known, the rounds played are all of them. A forfeited
// game whose colours are not written agrees with either.
std::vector<RoundCheck> check_rounds(const PairingField& field);

// For people: a line for each difference, and a last line that sums up.
std::string report_of(const std::vector<RoundCheck>& checks);

}  // namespace referee::pairing
