#pragma once

#include <cstddef>
#include <memory>

#include "referee/contest/formats/format.h"

namespace referee::formats {

// One match for everybody: alone, or with the fixed opponents in the seats after its own.
// MatchConfig::same_seeds gives all of them the same setups.
std::unique_ptr<Schedule> leaderboard(const LeaderboardOptions& options, std::size_t entrants);

}  // namespace referee::formats
