#pragma once

#include <functional>

#include "referee/report/ledger.h"
#include "tests/referee/contest/formats/play.h"

namespace referee::report {

// Changes a result before it is told, for example into a forfeit.
using Twist = std::function<void(formats::MatchResult&)>;

// A tournament of so many bots, called bot1, bot2 ..., played to its end by strengths.
Ledger played_ledger(const formats::FormatConfig& format, std::vector<formats::Entry> entries,
                     std::uint32_t seed, const formats::Strength& strength, const Twist& twist = {},
                     std::size_t matches_most = SIZE_MAX);

// Some strength that a seed gives; draws happen.
formats::Strength lots(std::uint64_t seed);

}  // namespace referee::report
