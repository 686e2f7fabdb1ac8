#include "sample_bots/cpp/snake_labyrinth/outlook.h"

#include <functional>
#include <queue>
#include <utility>

namespace bots::snake_labyrinth {
namespace {

namespace cell = engines::snake_labyrinth::cell;

constexpr std::int64_t far_away = 1'000'000;  // more than any way on the largest board
constexpr std::int64_t wall_price = 8;
constexpr std::int64_t mishap_price = 6;

std::int64_t price_of(char object) {
    if (object == cell::wall) return 1 + wall_price;
    if (object == cell::mishap) return 1 + mishap_price;
    return 1;
}

}  // namespace

std::vector<std::int64_t> costs_to_exit(const Board& board, const Grid& grid) {
    using Entry = std::pair<std::int64_t, Square>;
    std::vector<std::int64_t> costs(board.size(), far_away);
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (Square square = 0; square < board.size(); ++square) {
        if (board.at(square) == cell::exit) {
            costs[square] = 0;
            queue.emplace(0, square);
        }
    }
    while (!queue.empty()) {
        const auto [cost, square] = queue.top();
        queue.pop();
        if (cost > costs[square]) continue;
        // The search goes backwards: a walk from the square beside enters this one.
        const auto next_cost = cost + price_of(board.at(square));
        for (const auto beside : grid.around(square)) {
            if (beside == no_square || board.at(beside) == cell::exit || next_cost >= costs[beside])
                continue;
            costs[beside] = next_cost;
            queue.emplace(next_cost, beside);
        }
    }
    return costs;
}

}  // namespace bots::snake_labyrinth
