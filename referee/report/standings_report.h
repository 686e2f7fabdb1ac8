#pragma once

#include <string>

#include "referee/report/ledger.h"

namespace referee::report {

// The standings of a tournament. They depend only on the recorded results: they say after how many
// matches they were written, hold no times of day, and the same results in any order of arrival
// give the same bytes.
struct StandingsText {
    std::string json;
    std::string csv;
    // For people: the table, the cross table of a small field, and how sure the order is.
    std::string text;
    std::string statistics;  // for people: ratings, intervals, and all that is known of the order
};
StandingsText standings_of(const Ledger& ledger);

}  // namespace referee::report
