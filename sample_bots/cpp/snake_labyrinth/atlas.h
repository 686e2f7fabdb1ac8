#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "sample_bots/cpp/snake_labyrinth/legs.h"

namespace bots::snake_labyrinth {

// How far it is from everywhere to a target, through so many walls at the most, where nobody has
// walked yet: mishaps and exits are gone around, the body is not there. Worked out where it is
// first asked for, and kept.
class Atlas {
 public:
    using Steps = std::uint16_t;
    static constexpr unsigned walls_limit = 3;  // what a drill has uses for
    static constexpr unsigned layers = walls_limit + 1;
    static constexpr Steps unreachable = std::numeric_limits<Steps>::max();
    // Stands for the nearest exit.
    static constexpr Square exits = no_square;

    Atlas(const Board& board, const Grid& grid);

    // By square, then by walls: index it with `at`. The reference stays good.
    const std::vector<Steps>& steps_to(Square target);
    static std::size_t at(Square square, unsigned walls) {
        return std::size_t{square} * layers + walls;
    }

    // Squares looked at since the beginning.
    std::int64_t work() const { return work_; }

 private:
    std::vector<Steps> spread(Square target);

    const Board& board_;
    const Grid& grid_;
    std::vector<std::vector<Steps>> by_target_;  // the last is for the exits; empty where not known
    std::int64_t work_ = 0;
};

}  // namespace bots::snake_labyrinth
