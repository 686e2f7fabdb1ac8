#pragma once

// The reference bots for Walls. Each plays one game; none remembers anything of another.

#include <memory>
#include <optional>
#include <string>

#include "engines/walls/walls.h"
#include "protocol/json/document.h"
#include "sample_bots/cpp/kit/bot.h"

namespace bots::walls {

// The position that a state of Walls shows; nothing where it is no such state, or the game is over.
std::optional<engines::walls::Position> read_position(protocol::json::View state);

// The move as JSON.
std::string text_of(engines::walls::Move move);

// The first move of a shortest way to the next brick; forward rather than left rather than right
// where several are as short. Turns left where no brick can be had any more.
engines::walls::Move greedy_move(const engines::walls::Position& position);

// Any move with equal probability, the same ones again in a game of the same id and seat.
std::unique_ptr<kit::Player> make_random(const kit::GameStart& start);
// The shortest way to the next brick of its own; doesn't look at what the other is up to.
std::unique_ptr<kit::Player> make_greedy(const kit::GameStart& start);
// Alpha-beta, as deep as a part of the turn's budget allows; perfect on a board of size 3.
std::unique_ptr<kit::Player> make_minimax(const kit::GameStart& start);

}  // namespace bots::walls
