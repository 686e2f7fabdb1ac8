#include "engines/snake_labyrinth/reach.h"

namespace engines::snake_labyrinth {

std::vector<std::uint32_t> distances_from_start(const Board& board) {
    std::vector<std::uint32_t> distances(board.size(), unreached);
    std::vector<Square> queue{board.start()};
    queue.reserve(board.size());
    distances[board.start()] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next) {
        const auto here = queue[next];
        if (board.at(here) == cell::exit) continue;
        for (const auto direction : all_directions) {
            const auto there = board.neighbour(here, direction);
            if (!there || board.at(*there) == cell::wall) continue;
            if (distances[*there] != unreached) continue;
            distances[*there] = distances[here] + 1;
            queue.push_back(*there);
        }
    }
    return distances;
}

}  // namespace engines::snake_labyrinth
