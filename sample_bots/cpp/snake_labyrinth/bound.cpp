#include "sample_bots/cpp/snake_labyrinth/bound.h"

#include <algorithm>

namespace bots::snake_labyrinth {
namespace {

namespace rules_of = engines::snake_labyrinth;
namespace cell = rules_of::cell;

}  // namespace

Bound::Bound(const Walk& walk, const Grid& grid)
    : walk_(walk), grid_(grid), can_drill_(walk.drill_uses() > 0) {
    std::vector<Square> exits;
    for (Square square = 0; square < walk.cells().size(); ++square) {
        const char object = walk.cells()[square];
        if (object == cell::coin) coins_.push_back(square);
        if (object == cell::exit) exits.push_back(square);
        can_drill_ = can_drill_ || object == cell::drill;
    }
    to_exit_ = distances_to(exits);
    for (const auto coin : coins_) to_coin_.push_back(distances_to({coin}));
}

// No walk goes on from an exit, so distances spread from exits but not through them.
std::vector<std::int64_t> Bound::distances_to(const std::vector<Square>& goals) const {
    std::vector<std::int64_t> distances(grid_.size(), unreachable);
    std::vector<Square> queue = goals;
    for (const auto goal : goals) distances[goal] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next) {
        const auto here = queue[next];
        for (const auto beside : grid_.around(here)) {
            if (beside == no_square || distances[beside] != unreachable) continue;
            const char object = walk_.cells()[beside];
            if (object == cell::exit || (object == cell::wall && !can_drill_)) continue;
            distances[beside] = distances[here] + 1;
            queue.push_back(beside);
        }
    }
    return distances;
}

std::int64_t Bound::gain(Square square, const std::vector<Square>& gone) {
    left_.clear();
    for (std::size_t coin = 0; coin < coins_.size(); ++coin) {
        if (!std::binary_search(gone.begin(), gone.end(), coins_[coin])) left_.push_back(coin);
    }
    return std::min(gain_by_detours(square), gain_by_ways_in(square));
}

// A walk that fetches k coins makes at least the k-th smallest of the detours for single coins.
std::int64_t Bound::gain_by_detours(Square square) {
    const auto straight = to_exit_[square];
    detours_.clear();
    for (const auto coin : left_) {
        detours_.push_back(to_coin_[coin][square] + to_exit_[coins_[coin]] - straight);
    }
    std::sort(detours_.begin(), detours_.end());
    std::int64_t best = 0;
    for (std::size_t k = 0; k < detours_.size(); ++k) {
        best = std::max(best,
                        rules_of::points_a_coin * static_cast<std::int64_t>(k + 1) - detours_[k]);
    }
    return best - straight;
}

// A walk comes to each coin that it fetches from here or from another coin, and leaves the last one
// for an exit.
std::int64_t Bound::gain_by_ways_in(Square square) const {
    std::int64_t sum = 0;
    auto way_out = unreachable;
    for (const auto coin : left_) {
        auto way_in = to_coin_[coin][square];
        for (const auto other : left_) {
            if (other != coin) way_in = std::min(way_in, to_coin_[coin][coins_[other]]);
        }
        sum += std::max<std::int64_t>(0, rules_of::points_a_coin - way_in);
        way_out = std::min(way_out, to_exit_[coins_[coin]]);
    }
    return std::max(-to_exit_[square], sum - way_out);
}

}  // namespace bots::snake_labyrinth
