#include "sample_bots/cpp/snake_labyrinth/legs.h"

#include <algorithm>

namespace bots::snake_labyrinth {
namespace {

namespace rules_of = engines::snake_labyrinth;
namespace cell = rules_of::cell;

}  // namespace

Grid::Grid(const Board& board) : around_(board.size()) {
    for (Square square = 0; square < board.size(); ++square) {
        for (const auto direction : rules_of::all_directions) {
            around_[square][static_cast<std::size_t>(direction)] =
                board.neighbour(square, direction).value_or(no_square);
        }
    }
}

LegFinder::LegFinder(const Grid& grid)
    : grid_(grid),
      fewest_walls_(grid.size()),
      reached_stamp_(grid.size()),
      free_after_(grid.size()),
      body_stamp_(grid.size()) {}

// Segment i of n is gone from its square when the head has made n - i steps.
void LegFinder::lay_body(const Walk& walk) {
    const auto body = walk.body();
    for (std::size_t i = 0; i < body.size(); ++i) {
        free_after_[body[i]] = static_cast<std::uint32_t>(body.size() - i);
        body_stamp_[body[i]] = stamp_;
    }
    work_ += static_cast<std::int64_t>(body.size());
}

const std::vector<Leg>& LegFinder::search(const Walk& walk, const LegRules& rules) {
    ++stamp_;
    nodes_.clear();
    legs_.clear();
    if (!rules.reckless && walk.has_body()) lay_body(walk);
    nodes_.push_back({0, walk.head(), 0, 0, 0});
    reached_stamp_[walk.head()] = stamp_;
    fewest_walls_[walk.head()] = 0;
    bool go_on = true;
    std::uint32_t next = 0;
    for (; go_on && next < nodes_.size(); ++next) {
        const auto square = nodes_[next].square;
        const char object = walk.cells()[square];
        const bool is_object = object != cell::empty && object != cell::wall && next != 0;
        const bool passes = rules.goal != no_square || rules.any_exit;
        if (is_object && (!passes || object == cell::exit || object == cell::mishap)) continue;
        for (const auto direction : rules_of::all_directions) {
            go_on = go_on && visit(walk, rules, next, direction);
        }
    }
    work_ += next;
    return legs_;
}

// False where the search is done.
bool LegFinder::visit(const Walk& walk, const LegRules& rules, std::uint32_t from,
                      Direction direction) {
    const auto square = grid_.around(nodes_[from].square)[static_cast<std::size_t>(direction)];
    if (square == no_square) return true;
    const char object = walk.cells()[square];
    const auto walls = nodes_[from].walls + (object == cell::wall ? 1U : 0U);
    if (walls > rules.walls_max) return true;
    if (reached_stamp_[square] == stamp_ && fewest_walls_[square] <= walls) return true;
    const auto steps = nodes_[from].steps + 1;
    if (body_stamp_[square] == stamp_ && steps < free_after_[square]) return true;
    reached_stamp_[square] = stamp_;
    fewest_walls_[square] = static_cast<std::uint8_t>(walls);
    const auto node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({from, square, steps, static_cast<std::uint8_t>(walls),
                      static_cast<std::uint8_t>(direction)});
    const bool passes = rules.goal != no_square || rules.any_exit;
    const bool is_end = passes ? square == rules.goal || (rules.any_exit && object == cell::exit)
                               : object != cell::empty && object != cell::wall;
    if (is_end) legs_.push_back({square, walls, steps, node});
    return !is_end || (!passes && legs_.size() < rules.legs_max);
}

std::string LegFinder::letters(const Leg& leg) const {
    std::string letters;
    for (auto node = leg.node; node != 0; node = nodes_[node].before) {
        letters += rules_of::letter_of(static_cast<Direction>(nodes_[node].direction));
    }
    std::reverse(letters.begin(), letters.end());
    return letters;
}

}  // namespace bots::snake_labyrinth
