#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "sample_bots/cpp/snake_labyrinth/trail.h"

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

// How to go for a target.
struct LegStyle {
    std::uint8_t walls = 0;       // drilled on the way at most, as far as there are uses
    bool may_cross = false;       // the own body, where the coins lost are worth the steps saved
    std::uint8_t turn_order = 0;  // which of the shortest ways, below `turn_orders`

    static constexpr std::uint8_t turn_orders = 8;

    bool operator==(const LegStyle&) const = default;
};

// Finds a short way from a trail's head to a target: led by the distances of an atlas, it looks at
// little more than the squares on the way. Keeps its memory from search to search.
class LegScout {
 public:
    LegScout(const Grid& grid, Atlas& atlas);

    // The squares from behind the head to the target, or nothing where no way is found. Valid
    // until the next search.
    const std::vector<Square>& find(const Trail& trail, Square target, const LegStyle& style);

    // Squares looked at since the beginning.
    std::int64_t work() const { return work_; }

 private:
    struct Node {
        std::uint32_t before = 0;
        Square square = 0;
        std::int32_t steps = 0;
        std::int32_t cost = 0;  // steps, and what is lost by crossing
        std::uint8_t walls = 0;
    };
    struct Reached {
        std::uint32_t stamp = 0;
        std::int32_t cost = 0;
    };
    // A way may be so much worse than the one on an empty board; worse ones are given up.
    static constexpr std::size_t detour_max = 96;

    void visit(const Trail& trail, std::uint32_t from, Square square, const LegStyle& style,
               const std::vector<Atlas::Steps>& distances);
    void trace(std::uint32_t node);

    const Grid& grid_;
    Atlas& atlas_;
    std::vector<Node> nodes_;
    std::array<std::vector<std::uint32_t>, detour_max> open_;  // by how much worse
    std::vector<Reached> reached_;
    std::vector<Square> way_;
    unsigned walls_max_ = 0;
    std::int32_t cost_begin_ = 0;
    std::size_t best_open_ = 0;
    std::uint32_t stamp_ = 0;
    std::int64_t work_ = 0;
};

}  // namespace bots::snake_labyrinth
