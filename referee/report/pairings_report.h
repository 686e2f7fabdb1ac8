#pragma once

#include <string>

#include "referee/report/ledger.h"

namespace referee::report {

// Every round: its boards or pods with their seats, the results and the byes. Matches without a
// result are in it too, without points.
struct PairingsText {
    std::string json;
    std::string text;  // for people
};
PairingsText pairings_of(const Ledger& ledger);

}  // namespace referee::report
