#pragma once

#include <cstdint>
#include <vector>

#include "sample_bots/cpp/snake_labyrinth/legs.h"
#include "sample_bots/cpp/snake_labyrinth/route.h"

namespace bots::snake_labyrinth {

// A thing to go for next, and how.
struct Stop {
    Square target = no_square;
    unsigned walls = 0;
    bool reckless = false;
};

struct BeamSettings {
    std::size_t width = 1;         // ways that are kept at each depth
    std::size_t branches = 4;      // next things that are tried from each
    std::int64_t drill_worth = 0;  // points that three drill uses in hand count for on the way
    std::uint64_t noise = 0;       // points at the most by which a way is thought better than it is
    std::uint64_t seed = 0;
};

struct BeamResult {
    Route route;
    std::vector<Stop> stops;  // what the route went for, up to the exit
};

// Looks for ways from thing to thing, keeping at each depth the ones that would score best if they
// went straight to an exit from there. Deterministic. Gives up where `work_max` nodes are looked
// at in all.
BeamResult beam_search(const Position& from, LegFinder& legs,
                       const std::vector<std::int64_t>& exit_costs, const BeamSettings& settings,
                       std::int64_t work_max);

}  // namespace bots::snake_labyrinth
