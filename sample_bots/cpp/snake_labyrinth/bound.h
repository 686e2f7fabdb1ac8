#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sample_bots/cpp/snake_labyrinth/legs.h"

namespace bots::snake_labyrinth {

// What can still be won at the most, from any square. Distances take walls for open where the
// snake could ever drill, and mishaps and the body are taken to cost nothing, so no way wins more.
class Bound {
 public:
    Bound(const Walk& walk, const Grid& grid);

    // The squares that had a coin when the bound was made.
    const std::vector<Square>& coins() const { return coins_; }
    // Steps to the nearest exit, or `unreachable`.
    std::int64_t steps_to_exit(Square square) const { return to_exit_[square]; }
    // Coins' points less the steps to come, at the most. `gone` holds the squares whose objects are
    // gone, ascending. Requires: an exit can be reached.
    std::int64_t gain(Square square, const std::vector<Square>& gone);

    static constexpr std::int64_t unreachable = 1'000'000;

 private:
    std::vector<std::int64_t> distances_to(const std::vector<Square>& goals) const;
    std::int64_t gain_by_detours(Square square);
    std::int64_t gain_by_ways_in(Square square) const;

    const Walk& walk_;
    const Grid& grid_;
    bool can_drill_;
    std::vector<Square> coins_;
    std::vector<std::int64_t> to_exit_;
    std::vector<std::vector<std::int64_t>> to_coin_;  // by coin, then by square
    // For the position that is looked at.
    std::vector<std::size_t> left_;
    std::vector<std::int64_t> detours_;
};

}  // namespace bots::snake_labyrinth
