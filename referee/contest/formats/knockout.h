#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "referee/contest/formats/format.h"

namespace referee::formats {

// Who goes on. A match that ends level goes to the one that won more of its games, then to the one
// with the greater sum of scores, then to the one that the lot has chosen.
struct KnockoutDecision {
    std::size_t winner = 0;     // the seat that goes on
    std::string_view level_by;  // what decided a match that ended level; empty where it didn't
};

// Requires: a match of a knockout, with the better seed in seat 0.
KnockoutDecision decision_of(const MatchResult& result);

// Single or double elimination. `numbers` gives the entrants by seed, the best first.
std::unique_ptr<Schedule> knockout(const KnockoutOptions& options, std::size_t entrants,
                                   std::vector<Entrant> numbers);

// How many rounds it has; a second final among them that may not be needed.
std::uint32_t knockout_rounds(const KnockoutOptions& options, std::size_t entrants);

}  // namespace referee::formats
