#pragma once

#include <memory>

#include "sample_bots/cpp/kit/bot.h"

// The reference bots for Walls. Each plays one game; none remembers anything of another.

namespace bots::walls {

// Any move with equal probability, the same ones again in a game of the same id and seat.
std::unique_ptr<kit::Player> make_random(const kit::GameStart& start);
// The shortest way to the next brick of its own; doesn't look at what the other is up to.
std::unique_ptr<kit::Player> make_greedy(const kit::GameStart& start);
// Alpha-beta, as deep as a part of the turn's budget allows; perfect on a board of size 3.
std::unique_ptr<kit::Player> make_minimax(const kit::GameStart& start);

}  // namespace bots::walls
