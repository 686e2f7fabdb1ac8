#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

// Which stops to make, and in which order, for the greatest value within a number of turns.

namespace engines::e7_planets {

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
