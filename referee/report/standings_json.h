#pragma once

#include <span>
#include <string>

#include "referee/report/certainty.h"
#include "referee/report/ratings.h"
#include "referee/report/rows.h"

namespace referee::report {

// The text of standings.json; configs/README.md describes its members.
std::string standings_json(const Ledger& ledger, std::span<const Row> rows, const Ratings& ratings,
                           const Certainty& certainty);

}  // namespace referee::report
