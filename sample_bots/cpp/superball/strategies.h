#pragma once

#include <cstdint>
#include <optional>

#include "engines/superball/position.h"
#include "sample_bots/cpp/superball/groups.h"

// The moves of the reference bots, as functions of the board alone: the same board gets the same
// move, whether it is asked for over a network or by a program that is run once a move. None looks
// at what the game's generator will deal. All require a board with two pieces or more, and give a
// legal move.
namespace bots::superball {

using engines::superball::Move;

// Swaps any two pieces until fewer than five cells are empty, then scores where it can.
Move random_move(const Board& board, std::uint64_t min_score_size);
// Swaps to make groups large, wherever they are; scores the most it can when room gets short.
Move grouping_move(const Board& board, std::uint64_t min_score_size);
// Swaps to make groups large that touch the goal cells or come near them, and keeps them growing
// while there is room.
Move goal_move(const Board& board, std::uint64_t min_score_size);

// Looks ahead with an evaluation that was learned by playing (champion/). On boards too large for
// it, and with other numbers of colours than it knows, it is goal_move.
Move champion_move(const Board& board, std::uint64_t min_score_size);

// The largest set that can be scored, if any.
std::optional<engines::superball::Collect> largest_set(const Board& board,
                                                       std::uint64_t min_score_size);
// Two pieces to swap where nothing is worth it: the first and the last.
Move any_swap(const Board& board);

}  // namespace bots::superball
