#pragma once

#include <string>
#include <vector>

#include "referee/contest/standings/tie_break.h"
#include "referee/contest/trf/trf.h"

namespace referee::standings {

struct TrfCrosstable {
    std::vector<int> numbers;  // by row, rising
    Crosstable table;
};

// The tournament of a report file as tie-breaks see it. A round that is declared but missing in a
// player's line counts as a bye without points. Requires: a document that trf::parse() answered.
TrfCrosstable crosstable_of(const trf::Document& document);

// The order in which FIDE's tables have their columns: points, direct encounter, Buchholz ...
std::vector<TieBreak> fide_order();

// All columns and the ranks that they give in this order, as text: a header with StartNo and Rank,
// a line for each player in the order of numbers, cells separated by tabs.
std::string trf_table(const trf::Document& document);

}  // namespace referee::standings
