#include "sample_bots/cpp/snake_labyrinth/atlas.h"

#include <algorithm>

namespace bots::snake_labyrinth {
namespace {

namespace cell = engines::snake_labyrinth::cell;

struct Reached {
    Square square;
    unsigned walls;
};

}  // namespace

Atlas::Atlas(const Board& board, const Grid& grid)
    : board_(board), grid_(grid), by_target_(grid.size() + 1) {}

const std::vector<Atlas::Steps>& Atlas::steps_to(Square target) {
    auto& known = by_target_[target == exits ? grid_.size() : target];
    if (known.empty()) known = spread(target);
    return known;
}

// Backwards from the target, ring by ring. A walk from the square beside enters this one, so that
// this one's wall is to be drilled.
std::vector<Atlas::Steps> Atlas::spread(Square target) {
    std::vector<Steps> steps(grid_.size() * layers, unreachable);
    std::vector<Reached> queue;
    const auto reach = [&](Square square, unsigned walls, Steps now) {
        if (steps[at(square, walls)] <= now) return;
        // Who may drill more needs no more steps.
        for (auto more = walls; more < layers && steps[at(square, more)] > now; ++more)
            steps[at(square, more)] = now;
        queue.push_back({square, walls});
    };
    for (Square square = 0; square < grid_.size(); ++square) {
        if (target == exits ? board_.at(square) == cell::exit : square == target)
            reach(square, 0, 0);
    }
    for (std::size_t next = 0; next < queue.size(); ++next) {
        const auto [here, walls_before] = queue[next];
        const char object = board_.at(here);
        const auto now = steps[at(here, walls_before)];
        if (now > 0 && (object == cell::mishap || object == cell::exit)) continue;
        const auto walls = walls_before + (object == cell::wall ? 1U : 0U);
        if (walls >= layers) continue;
        for (const auto beside : grid_.around(here)) {
            if (beside != no_square) reach(beside, walls, static_cast<Steps>(now + 1));
        }
    }
    work_ += static_cast<std::int64_t>(queue.size());
    return steps;
}

}  // namespace bots::snake_labyrinth
