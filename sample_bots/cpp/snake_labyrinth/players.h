#pragma once

#include <memory>

#include "sample_bots/cpp/kit/bot.h"

// The reference bots for Snake Labyrinth. Each plays one game; none remembers anything of another.

namespace bots::snake_labyrinth {

// A step at a time, any legal one with equal probability; the same ones again in a game of the
// same id.
std::unique_ptr<kit::Player> make_random(const kit::GameStart& start);
// The right hand on the wall, all the way as one plan.
std::unique_ptr<kit::Player> make_right_hand(const kit::GameStart& start);
// The strongest plan that it finds, within a small part of the game's budget.
std::unique_ptr<kit::Player> make_best(const kit::GameStart& start);

}  // namespace bots::snake_labyrinth
