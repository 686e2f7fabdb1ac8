#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "protocol/json/writer.h"
#include "referee/contest/certainty/seat_effect.h"
#include "referee/contest/certainty/significance.h"
#include "referee/report/standings_rows.h"

// What the matches of a tournament tell beyond its order: who is better than whom, one by one;
// cycles; and what seats were worth.

namespace referee::report {

// Up to so many bots the matrix has every pair, also those that never met: 4,950 pairs, some
// hundred kilobytes. In larger fields it has those that met, which are no more than the matches.
inline constexpr std::size_t matrix_bots_most = 100;

// What pairs played, in the order of their numbers. In pods each two are a pair, by their places.
std::vector<certainty::PairRecord> pair_records(const Ledger& ledger);

struct Certainty {
    std::vector<certainty::PairRecord> pairs;
    certainty::CycleSearch cycles;  // of matches of two
    certainty::SeatTable seats;
    std::optional<certainty::SeedOrder> seeds;  // of games that are played alone
};
Certainty certainty_of(const Ledger& ledger);

// Members "superiority", "cycles", "seats" and "common_seeds" (configs/schemas/certainty.json).
void write_certainty(protocol::json::Writer& writer, const Ledger& ledger,
                     std::span<const Row> rows, const Ratings& ratings, const Certainty& certainty);

}  // namespace referee::report
