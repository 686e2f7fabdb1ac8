#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "sample_bots/cpp/snake_labyrinth/changes.h"
#include "sample_bots/cpp/snake_labyrinth/route.h"

namespace bots::snake_labyrinth {

// Improves orders of errands by annealing. Each change is first judged by an atlas, which is quick
// and knows no body; only what is promising is walked, and only from the first errand that
// changed. So it tries hundreds of times as many orders as `polish` in the same time.
class Refiner {
 public:
    // Whether an atlas of this board's things isn't too large.
    static bool fits(const Position& from);

    // Requires: fits. `is_late` ends a run early; it may be empty.
    Refiner(const Position& from, const Grid& grid, std::function<bool()> is_late);
    ~Refiner();
    Refiner(const Refiner&) = delete;
    Refiner& operator=(const Refiner&) = delete;

    // What a run begins with and how it goes.
    struct Run {
        Order order;
        std::uint64_t seed = 0;
        std::int64_t work = 0;  // squares and table entries looked at
        double hot_points = 0;  // losses that are taken now and then at the beginning
    };
    // The order that the run found best. Deterministic for a run.
    Order anneal(const Run& run);
    // The things that a route fetches, one after the other.
    Order errands_of(const Route& route) const;

    // The best route of all runs so far; not out where none was found.
    const Route& best() const;

 private:
    class Annealing;
    struct Memory;
    std::unique_ptr<Memory> memory_;
};

}  // namespace bots::snake_labyrinth
