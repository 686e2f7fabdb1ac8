#pragma once

#include <vector>

#include "referee/config/config.h"

namespace referee::config {

// Who takes part in a tournament, in the order of entry. `bots` is the list that the tournament's
// indices mean.
std::vector<formats::Entry> entries_of(const TournamentConfig& tournament,
                                       const std::vector<BotConfig>& bots);

}  // namespace referee::config
