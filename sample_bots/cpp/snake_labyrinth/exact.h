#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sample_bots/cpp/snake_labyrinth/route.h"
#include "sample_bots/cpp/snake_labyrinth/trail.h"

namespace bots::snake_labyrinth {

// What can still be won at the most, from any square. Distances take walls for open where the
// snake could ever drill, and mishaps and the body are taken to cost nothing, so no way wins more.
class Bound {
 public:
    Bound(const Walk& walk, const Grid& grid);

    // Steps to the nearest exit, or `unreachable`.
    std::int64_t steps_to_exit(Square square) const { return to_exit_[square]; }
    // Coins' points less the steps to come, at the most, from where the trail is. Requires: an exit
    // can be reached.
    std::int64_t gain(const Trail& trail);

    static constexpr std::int64_t unreachable = 1'000'000;

 private:
    std::vector<std::int64_t> distances_to(const std::vector<Square>& goals) const;
    std::int64_t gain_by_detours(Square square);
    std::int64_t gain_by_ways_in(Square square) const;

    const std::string& cells_;
    const Grid& grid_;
    bool can_drill_;
    std::vector<Square> coins_;
    std::vector<std::int64_t> to_exit_;
    std::vector<std::vector<std::int64_t>> to_coin_;  // by coin, then by square
    // For the position that is looked at.
    std::vector<std::size_t> left_;
    std::vector<std::int64_t> detours_;
};

// Looks at everything that can be better than a route that is known: a best-first search over
// whole positions (head, body, objects and walls that are gone), with a bound on what can still be
// won. Gives the best route there is (the known one where nothing beats it), or nothing where it
// would have to look at more than `positions_max` positions. A known route that isn't out stands
// for 'none is known'.
std::optional<Route> exact_search(const Position& from, const Grid& grid, const Route& known,
                                  std::size_t positions_max);

}  // namespace bots::snake_labyrinth
