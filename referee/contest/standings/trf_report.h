#pragma once

#include <span>
#include <string>
#include <vector>

#include "referee/contest/standings/standings.h"
#include "referee/contest/standings/tie_break.h"
#include "referee/contest/trf/trf.h"

namespace referee::standings {

struct TrfHead {
    std::string tournament;
    std::size_t rounds_total = 0;  // 0: as many as there are in the standings
    bool first_is_white = true;    // the initial colour
    Tenths bye_points = 10;        // of a bye for want of an opponent
    // The rows in the order of the players' numbers; empty: in the order of the table.
    std::vector<std::size_t> by_number;
    // Ranks by row, of formats that have places of their own; empty: those of the standings.
    std::vector<std::size_t> places;
    std::vector<trf::AccelerationRecord> accelerations;  // in those numbers
    std::vector<trf::ForbiddenRecord> forbidden;
};

// A tournament of two seats as a report file: seat 0 is white. Sums of points that the format has
// no room for (100 and more) are left out. Where several pause in one round (the first of a
// knockout) their byes are zero-point byes: the format has one allocated bye a round. A round whose
// points differ from what its result is worth (matches whose points are sums of scores) has them in
// a record of its own. Requires: a crosstable of matches of two, one a round; a name for each row.
trf::Document trf_report(const Standings& standings, std::span<const std::string> names,
                         const TrfHead& head);

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
