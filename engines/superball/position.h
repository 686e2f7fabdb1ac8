#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engines/superball/board.h"
#include "engines/superball/move.h"
#include "engines/superball/random48.h"
#include "protocol/base/result.h"

namespace engines::superball {

inline constexpr int dealt_after_swap = 5;  // and at the start
inline constexpr int dealt_after_score = 3;

// The game without its clock and its messages: a board, the pieces to come, the score. The same
// rules, seed and moves give the same position everywhere.
class Position {
 public:
    // Deals the first pieces. Requires rules as Board does.
    Position(const Rules& rules, std::uint32_t seed);
    // Goes on from a board, with the generator as it stands. Requires a board of these rules.
    Position(const Rules& rules, Board board, Random48 random);

    const Board& board() const { return board_; }
    std::int64_t score() const { return score_; }
    // Whether a piece had to be placed and there was no empty cell.
    bool full() const { return full_; }

    // Whether the move can be played now; an error says why not, in words for a player.
    base::Result<void, std::string> check(const Move& move) const;
    // Plays it and deals. Requires: not full, and check() finds no fault with it.
    void play(const Move& move);

 private:
    void deal(int pieces);

    std::uint64_t min_score_size_;
    Board board_;
    Random48 random_;
    std::int64_t score_ = 0;
    bool full_ = false;
};

// Whether the cell is a goal cell with a group of at least that size on it.
bool can_collect(const Board& board, int number, std::uint64_t min_score_size);

}  // namespace engines::superball
