#pragma once

#include <string>

#include "referee/report/ledger.h"

namespace referee::report {

// The standings of a tournament in three forms. They depend only on the recorded results: they hold
// no times of day, and the same results in any order of arrival give the same bytes.
struct StandingsText {
    std::string json;
    std::string csv;
    std::string text;  // a table for people
};
StandingsText standings_of(const Ledger& ledger);

}  // namespace referee::report
