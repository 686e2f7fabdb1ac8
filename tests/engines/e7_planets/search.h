#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engines/e7_planets/map.h"

namespace tests {

// What plain search through all plays of a map finds when its ghosts are taken away: slow, and
// sharing nothing with the engine's own way of working it out but the rules.
struct Found {
    std::int64_t best_score = 0;
    std::vector<std::optional<std::int64_t>> earliest_turn;  // of each scrap
};

// With up to four scraps or so, best_score as well; with more leave `scores` false.
Found search_all_plays(engines::e7_planets::Map map, bool scores);

}  // namespace tests
