#pragma once

#include <memory>

#include "sample_bots/cpp/kit/bot.h"
#include "sample_bots/cpp/kit/inside_player.h"

// The reference bots for E7 Planets. Each plays one game; none remembers anything of another.

namespace bots::e7_planets {

// Up, down, left or right with equal probability, the same again in a game of the same id.
std::unique_ptr<kit::Player> make_random(const kit::GameStart& start);
// The quickest way to the scrap that is reached soonest, around the edges too; doesn't see ghosts.
std::unique_ptr<kit::Player> make_greedy(const kit::GameStart& start);
std::unique_ptr<kit::InsidePlayer> make_greedy_inside(const engines::State& state);
// Plans the whole rest of the game against ghosts that it foresees exactly; see plan.h.
std::unique_ptr<kit::Player> make_planner(const kit::GameStart& start);

}  // namespace bots::e7_planets
