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
    Square head() const { return head_; }
    char object(Square square) const { return cells_[square]; }
    std::int64_t coins() const { return coins_; }
    std::int64_t drill_uses() const { return drill_uses_; }
    std::int64_t steps() const { return steps_before_ + static_cast<std::int64_t>(log_.size()); }
    bool has_left() const;
    std::int64_t score() const;

    // How many coins are lost if the head comes to this square in so many steps, as far as the body
    // doesn't grow until then.
    std::int64_t loss_on(Square square, std::int64_t steps_to_it) const {
        if (!has_body_) return 0;
        const auto segment =
            static_cast<std::int64_t>(log_.size()) + steps_to_it - 1 - visits_[square];
        return segment < body_length_ ? body_length_ - segment : 0;
    }

    Square square_after(std::size_t step) const { return log_[step].square; }
    // What lay there when the head came.
    char met(std::size_t step) const { return log_[step].object; }
    std::int64_t body_length() const { return body_length_; }
    // Where segment i of the body lies, counted from behind the head.
    Square segment(std::int64_t i) const;
    // The letters of all its steps.
    std::string letters() const;

 private:
    struct Step {
        Square square = 0;
        char object = 0;
        // What there was before it.
        std::int64_t visit = 0;
        std::int64_t body_length = 0;
        std::int64_t coins = 0;
        std::int64_t drill_uses = 0;
    };
    static constexpr std::int64_t never = std::numeric_limits<std::int32_t>::min();

    const Grid& grid_;
    std::string cells_;
    // By square: after how many steps of this trail the head was last on it; below 0 before it.
    std::vector<std::int64_t> visits_;
    std::vector<Step> log_;
    std::vector<Square> first_body_;  // of the walk that it began with, from behind the head
    Square start_;
    Square head_;
    bool has_body_;
    std::int64_t body_length_;
    std::int64_t coins_;
    std::int64_t drill_uses_;
    std::int64_t steps_before_;
};

}  // namespace bots::snake_labyrinth
