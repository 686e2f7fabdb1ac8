#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "engines/snake_labyrinth/board.h"

namespace bots::snake_labyrinth {

using engines::snake_labyrinth::Board;
using engines::snake_labyrinth::Direction;
using engines::snake_labyrinth::Square;
using engines::snake_labyrinth::Walk;

// Where a player stands: the walk so far, as far as it matters for what is to come.
struct Position {
    Walk walk;
    std::int64_t steps_max = 0;  // the game ends unfinished with so many
};

// A way that was tried by the rules of the game.
struct Route {
    std::string letters;
    bool is_out = false;
    std::int64_t score = 0;
    std::int64_t steps = 0;

    // Out before inside, then the score, then fewer steps.
    bool is_better_than(const Route& other) const {
        if (is_out != other.is_out) return is_out;
        if (score != other.score) return score > other.score;
        return steps < other.steps;
    }
};

// Walks the letters from a position, as far as they go: up to an exit, the limit of steps or a
// letter that can't be carried out.
Route walk_route(const Position& from, std::string_view letters);

inline constexpr Square no_square = std::numeric_limits<Square>::max();

// The squares around each square, looked up instead of computed; one for all searches on a board.
class Grid {
 public:
    explicit Grid(const Board& board);

    std::size_t size() const { return around_.size(); }
    // In the order of Direction; no_square beyond the edge.
    const std::array<Square, 4>& around(Square square) const { return around_[square]; }

 private:
    std::vector<std::array<Square, 4>> around_;
};

// A walk by the rules of the game whose last steps can be taken back. It trusts its caller: it is
// for searches that try thousands of ways that differ at their ends only.
class Trail {
 public:
    Trail(const Walk& walk, const Grid& grid);

    // One step. Requires: the square is beside the head, no wall without a drill use left, and the
    // walk isn't over.
    void step_to(Square square);
    // Takes steps back until so many are left. Requires: not more than there are.
    void take_back(std::size_t length);

    // Steps on this trail, those before it not counted.
    std::size_t length() const { return log_.size(); }
    Square head() const { return path_.back(); }
    char object(Square square) const { return cells_[square]; }
    std::int64_t coins() const { return now_.coins; }
    std::int64_t drill_uses() const { return now_.drill_uses; }
    std::int64_t body_length() const { return now_.body_length; }
    std::int64_t steps() const { return steps_before_ + static_cast<std::int64_t>(log_.size()); }
    bool has_left() const;
    std::int64_t score() const;

    // How many coins are lost if the head comes to this square in so many steps, as far as the body
    // doesn't grow until then.
    std::int64_t loss_on(Square square, std::int64_t steps_to_it) const {
        if (!has_body_) return 0;
        const auto segment =
            static_cast<std::int64_t>(log_.size()) + steps_to_it - 1 - visits_[square];
        return segment < now_.body_length ? now_.body_length - segment : 0;
    }

    Square square_after(std::size_t step) const { return path_[path_.size() - log_.size() + step]; }
    // What lay there when the head came.
    char met(std::size_t step) const { return log_[step].object; }
    // Where segment i of the body lies, counted from behind the head.
    Square segment(std::int64_t i) const {
        return path_[path_.size() - 2 - static_cast<std::size_t>(i)];
    }
    // The letters of all its steps.
    std::string letters() const;

 private:
    struct Figures {
        std::int64_t body_length = 0, coins = 0, drill_uses = 0;
    };
    struct Step {
        char object;         // that was met
        std::int64_t visit;  // of its square, and the figures, before it
        Figures before;
    };
    static constexpr std::int64_t never = std::numeric_limits<std::int32_t>::min();

    const Grid& grid_;
    std::string cells_;
    // By square: after how many steps of this trail the head was last on it; below 0 before it.
    std::vector<std::int64_t> visits_;
    std::vector<Square> path_;  // from the tail of the first body to the head
    std::vector<Step> log_;     // of the end of the path, step by step
    Figures now_;
    bool has_body_;
    std::int64_t steps_before_;
};

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
        std::uint32_t before;
        Square square;
        std::int32_t steps, cost;  // steps, and with what is lost by crossing
        std::uint8_t walls;
    };
    struct Reached {
        std::uint32_t stamp = 0;
        std::int32_t cost = 0;
    };
    // A way may be so much worse than the one on an empty board; worse ones are given up.
    static constexpr std::int32_t detour_max = 96;

    const Grid& grid_;
    Atlas& atlas_;
    std::vector<Node> nodes_;
    std::array<std::vector<std::uint32_t>, detour_max> open_;  // by how much worse
    std::vector<Reached> reached_;
    std::vector<Square> way_;
    std::uint32_t stamp_ = 0;
    std::int64_t work_ = 0;
};

}  // namespace bots::snake_labyrinth
