#pragma once

// Standings, as they follow from the results of matches and the byes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "referee/contest/standings/crosstable.h"
#include "referee/contest/standings/match_result.h"
#include "referee/contest/standings/tie_break.h"

namespace referee::standings {

// A cell: a number counted in such small parts that all tie-breaks are exact, or no value (a mean
// of nothing), which ranks last.
using TieBreakValue = std::optional<std::int64_t>;
// The number, with two decimals at most and no zeros at the end; "-0" for no value.
std::string text_of(TieBreakValue value);

struct StandingsColumn {
    TieBreak tie_break = TieBreak::points;
    std::vector<TieBreakValue> cells;  // by row of the crosstable
};

// Columns in the order asked for, and where everybody stands.
struct Ranking {
    std::vector<StandingsColumn> columns;
    // Rows that are ranked, best first; where all is equal, in the table's order.
    std::vector<std::size_t> order;
    // By row, from 1; equal in all columns: shared, 1, 2, 2, 4. 0: not ranked.
    std::vector<std::size_t> rank;
};

// Ranks by the columns in their order. Direct encounter is decided inside the ties that the
// columns before it leave.
Ranking rank_by(const Crosstable& table, std::span<const TieBreak> order);

struct Standings {
    Crosstable table;
    Ranking ranking;
};

// Ranks by the columns in their order: usually points first.
Standings standings_of(const StandingsSetup& field, std::span<const MatchResult> matches,
                       std::span<const Bye> byes, std::span<const TieBreak> order);

}  // namespace referee::standings
