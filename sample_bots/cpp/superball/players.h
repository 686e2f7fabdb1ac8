#pragma once

// The reference bots for Superball, a level each. Their moves are those of the functions below.

#include <cstdint>
#include <memory>
#include <optional>

#include "engines/superball/position.h"
#include "protocol/json/document.h"
#include "sample_bots/cpp/bot/bot.h"
#include "sample_bots/cpp/superball/groups.h"

namespace bots::superball {

// The rules that a game's params stand for; nothing where they are none of Superball's.
std::optional<engines::superball::Rules> read_rules(protocol::json::View params);

// The board that a state shows; nothing where it shows none of that size.
std::optional<engines::superball::Board> read_board(const engines::superball::Rules& rules,
                                                    protocol::json::View state);

// The moves of the reference bots, as functions of the board alone: the same board gets the same
// move, whether it is asked for over a network or by a program that is run once a move. None looks
// at what the game's generator will deal. All require a board with two pieces or more, and give a
// legal move.

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

std::unique_ptr<Player> make_random(const GameStart& start);
std::unique_ptr<Player> make_level2(const GameStart& start);
std::unique_ptr<Player> make_level3(const GameStart& start);
std::unique_ptr<Player> make_champion(const GameStart& start);

}  // namespace bots::superball
