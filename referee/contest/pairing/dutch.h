#pragma once

#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/contest/pairing/bracket.h"
#include "referee/contest/pairing/field.h"

// The FIDE (Dutch) Swiss system, C.04.3 as in force from 1 February 2026: the pairings of the
// next round as a function of the tournament so far.

namespace referee::pairing {

struct Board {
    int white = nobody;  // player numbers
    int black = nobody;

    bool operator==(const Board&) const = default;
};

struct RoundPairing {
    std::vector<Board> boards;  // in board order
    int bye = nobody;           // who gets the pairing-allocated bye

    bool operator==(const RoundPairing&) const = default;
};

struct NoLegalPairing {
    std::string reason;
};

// Requires: numbers in the field are positive and different; opponents exist; played games have
// colours. The effort changes the time needed, never the answer.
base::Result<RoundPairing, NoLegalPairing> pair_round(const PairingField& field,
                                                      Effort effort = Effort::sparing);

}  // namespace referee::pairing
