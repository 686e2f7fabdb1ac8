#pragma once

#include <string>

#include "referee/office/report/ledger.h"

namespace referee::report {

// Every round: its boards or pods with their seats, what came out, and the byes. Matches without a
// result stand there too, without points.
struct PairingsText {
    std::string json;
    std::string text;  // for people
};
PairingsText pairings_of(const Ledger& ledger);

}  // namespace referee::report
