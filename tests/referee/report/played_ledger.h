#pragma once

#include <functional>

#include "referee/report/ledger.h"
#include "tests/referee/contest/formats/play.h"

namespace referee::report {

// Changes a result before it is told, for example into a forfeit.
using Twist = std::function<void(tournament::MatchResult&)>;

// A tournament of so many bots, called bot1, bot2 ..., played to its end by strengths.
Ledger played_ledger(const tournament::FormatConfig& format, std::vector<tournament::Entry> entries,
                     std::uint32_t seed, const tournament::Strength& strength,
                     const Twist& twist = {}, std::size_t matches_most = SIZE_MAX);

// Some strength that a seed gives; draws happen.
tournament::Strength lots(std::uint64_t seed);

}  // namespace referee::report
