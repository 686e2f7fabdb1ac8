#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sample_bots/cpp/snake_labyrinth/reading.h"

namespace bots::snake_labyrinth {

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

// What a search for legs may do.
struct LegRules {
    // Walk over coins and drills on the way, and stop at `goal` only; else each object is an end.
    Square goal = no_square;
    bool any_exit = false;   // with it, the nearest exit is the goal
    bool reckless = false;   // cross the own body, whatever it costs
    unsigned walls_max = 0;  // to be drilled on the way
    std::size_t legs_max = std::numeric_limits<std::size_t>::max();
};

// A way from the head to the next thing.
struct Leg {
    Square target = no_square;
    unsigned walls = 0;  // drilled on the way
    std::uint32_t steps = 0;
    std::uint32_t node = 0;  // for LegFinder::letters
};

// Finds the shortest legs from a walk's head, keeping clear of mishaps (unless they are the
// target) and of the body, as far as it will still be there when the head comes. The body's growth
// on the way isn't foreseen. Keeps its memory from search to search.
class LegFinder {
 public:
    // Legs through so many walls at most are looked for, however many drill uses there are.
    static constexpr unsigned walls_limit = 6;

    explicit LegFinder(const Grid& grid);

    // The legs found, nearest first; for one target several where drilling more is shorter. Valid
    // until the next search.
    const std::vector<Leg>& search(const Walk& walk, const LegRules& rules);
    std::string letters(const Leg& leg) const;

    // Nodes looked at since the beginning: what the effort is measured in.
    std::int64_t work() const { return work_; }
    void add_work(std::int64_t nodes) { work_ += nodes; }

 private:
    struct Node {
        std::uint32_t before = 0;
        Square square = 0;
        std::uint32_t steps = 0;
        std::uint8_t walls = 0;
        std::uint8_t direction = 0;
    };

    void lay_body(const Walk& walk);
    bool visit(const Walk& walk, const LegRules& rules, std::uint32_t from, Direction direction);

    const Grid& grid_;
    std::vector<Node> nodes_;  // in the order in which they were reached
    std::vector<Leg> legs_;
    // The fewest walls with which a square was reached, and when the body is off it; both count
    // only where the stamp is this search's.
    std::vector<std::uint8_t> fewest_walls_;
    std::vector<std::uint32_t> reached_stamp_;
    std::vector<std::uint32_t> free_after_;
    std::vector<std::uint32_t> body_stamp_;
    std::uint32_t stamp_ = 0;
    std::int64_t work_ = 0;
};

}  // namespace bots::snake_labyrinth
