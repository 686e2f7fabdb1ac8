#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sample_bots/cpp/snake_labyrinth/ways.h"

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

// How hard to think. Counted in work, not in time, so that the same position gives the same plan on
// every machine of a kind.
struct Effort {
    std::int64_t nodes_max = 100'000'000;  // looked at by the searches for strong ways
    std::size_t positions_max = 200'000;   // looked at to prove that a way is the best
    // A guard for slow machines: where it says true, the best way so far is the answer. The work
    // is meant to be done long before. Empty: never late.
    std::function<bool()> is_late = {};
};

struct BestPlan {
    std::string letters;
    bool is_out = false;     // an exit is reached in time
    bool is_proven = false;  // no plan is better
};

// A strong way out under coins, mishaps, drills and the body; the best there is where that can be
// proven with the effort given. Where no way out is found, letters that end the game soon.
BestPlan best_plan(const Position& position, const Effort& effort = {});

}  // namespace bots::snake_labyrinth
