#pragma once

#include <optional>
#include <string>

#include "referee/report/ledger.h"

namespace referee::report {

// The rounds of a tournament as files.

// Every round: its boards or pods with their seats, the results and the byes. Matches without a
// result are in it too, without points.
struct PairingsText {
    std::string json;
    std::string text;  // for people
};
PairingsText pairings_of(const Ledger& ledger);

// The tournament as a FIDE report file (TRF26), where such a file can hold it: matches of two, at
// most one in each round for each bot. Pairing numbers are those by which the rounds were drawn, so
// that a checker can derive a Swiss again. Of a Swiss only finished rounds are written.
std::optional<std::string> trf_file_of(const Ledger& ledger);

}  // namespace referee::report
