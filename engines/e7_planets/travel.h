#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "engines/e7_planets/map.h"

// How many turns the ship needs from cell to cell where no ghost is in the way; and which stops to
// make, and in which order, for the greatest value within a number of turns.

namespace engines::e7_planets {

enum class Edges : std::uint8_t { wrap, walls };
enum class Sense : std::uint8_t { away_from, toward };

inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

// For each cell (by Map::index) the least number of turns between landing on `place` and landing
// on that cell, or the other way round with Sense::toward. Landing includes having started there.
// Nebulae on the way cost their turns, the one that is landed on last does not. `never` where
// there is no way, or none within `limit` turns.
std::vector<std::int64_t> landing_turns(const Map& map, Cell place, Sense sense, Edges edges,
                                        std::int64_t limit);

struct TourProblem {
    std::vector<std::int64_t> values;                // of the stops; positive
    std::vector<std::int64_t> first;                 // turns from the start to a stop, or `never`
    std::vector<std::vector<std::int64_t>> between;  // [from][to]
    std::int64_t limit = 0;                          // turns in all
};

struct Tour {
    std::vector<std::size_t> order;
    std::int64_t value = 0;
    std::int64_t turns = 0;
};

struct TourAnswer {
    Tour tour;               // one that can be made
    std::int64_t bound = 0;  // no tour has a greater value
    bool exact() const { return tour.value == bound; }
};

// Up to so many stops are solved exactly, over all subsets.
inline constexpr std::size_t exact_stops_max = 16;

// The best tour where it is found, else a good one and an upper bound. Of tours with the greatest
// value, exactly solved ones are the shortest. The same problem has the same answer everywhere.
// `between` obeys the triangle inequality, so that passing a stop is no worse than avoiding it.
TourAnswer solve_tour(const TourProblem& problem);

}  // namespace engines::e7_planets
