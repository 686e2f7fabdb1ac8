#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engines/superball/board.h"
#include "engines/superball/move.h"
#include "protocol/base/result.h"

namespace engines::superball {

// The C library's 48-bit generator, as srand48() seeds it and lrand48() draws from it. The game
// deals by it, so that a seed gives the same pieces on every machine.
class Random48 {
 public:
    explicit constexpr Random48(std::uint32_t seed)
        : state_((std::uint64_t{seed} << seed_shift) + seed_tail) {}

    // The next number, from 0 to 2^31 - 1.
    constexpr std::uint32_t draw() {
        state_ = (multiplier * state_ + increment) & state_mask;
        return static_cast<std::uint32_t>(state_ >> discarded_bits);
    }

 private:
    static constexpr std::uint64_t multiplier = 0x5DEECE66D;
    static constexpr std::uint64_t increment = 0xB;
    static constexpr std::uint64_t state_mask = (std::uint64_t{1} << 48U) - 1;
    static constexpr std::uint64_t seed_tail = 0x330E;
    static constexpr unsigned seed_shift = 16;
    static constexpr unsigned discarded_bits = 17;

    std::uint64_t state_;
};

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
