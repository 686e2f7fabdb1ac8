#pragma once

#include <optional>

#include "protocol/json/writer.h"
#include "referee/contest/certainty/seed_order.h"
#include "referee/report/ledger.h"

// Tournaments of games that a bot plays alone, all on the same seeds.

namespace referee::report {

// Nothing where games aren't played alone, or none was. A setup that only repeats another, move by
// move and for everybody, counts once.
std::optional<certainty::SeedOrder> seed_order_of(const Ledger& ledger);

// The member "common_seeds"; nothing where there is no order.
void write_seed_order(protocol::json::Writer& writer, const Ledger& ledger,
                      const std::optional<certainty::SeedOrder>& order);

}  // namespace referee::report
