#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/contest/pairing/pairing_field.h"

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

enum class Effort : std::uint8_t {
    sparing,   // looks as far down as it turns out to be needed
    thorough,  // looks at all that is left, always: slow, and the same answer
};

struct NoLegalPairing {
    std::string reason;
};

// Requires: numbers in the field are positive and different; opponents exist; played games have
// colours. The effort changes the time needed, never the answer.
base::Result<RoundPairing, NoLegalPairing> pair_round(const PairingField& field,
                                                      Effort effort = Effort::sparing);

// The checker: derives each round that was played again, from what was known before it, and tells
// where the two part.
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
