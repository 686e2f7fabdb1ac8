#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "referee/contest/standings/fold.h"
#include "referee/report/ledger.h"

namespace referee::report {

// A bot's own matches, counted.
struct Tally {
    std::uint64_t won = 0, drawn = 0, lost = 0;
};

// A match as one of its bots sees it.
struct Appearance {
    const formats::MatchResult* match = nullptr;
    std::size_t seat = 0;
};

// A line of the standings.
struct Row {
    std::size_t rank = 0;  // 0: none, of a house bot
    standings::Entrant entrant = 0;
    Tally tally;
    std::vector<std::string> cells;       // by tie-break; "-0": no value
    std::vector<Appearance> appearances;  // in the order of the matches
    std::vector<formats::Bye> byes;
};

// "3"; "house" of who has no rank.
std::string rank_text(std::size_t rank);

// Those who are opponents alone: a gauntlet's, and house bots.
std::vector<standings::Entrant> unranked_of(const Ledger& ledger);

// The standings in their order, house bots behind all others. Formats with places of their own are
// ordered by these, all others by points and tie-breaks. The ledger must outlive the rows.
std::vector<Row> rows_of(const Ledger& ledger);

// The standings, counted from the field, its matches and its byes.
standings::Standings folded(const Ledger& ledger);

}  // namespace referee::report
