#pragma once

#include <string>

#include "protocol/base/split_mix.h"
#include "sample_bots/cpp/snake_labyrinth/reading.h"

// The two simple strategies of the handout. Neither looks at coins, mishaps, drills or the body.

namespace bots::snake_labyrinth {

// One of the legal steps, each as likely; a letter that can't be carried out where there is none.
char random_letter(const Walk& walk, base::SplitMix& random);

// All the way to an exit with the right hand on the wall, never drilling: straight on to a wall
// first where none is at hand. Where that leads around in a circle, the shortest way from there.
// Ends after steps_max steps, or where no exit can be reached.
std::string right_hand_plan(const Position& position);

// The shortest way to an exit without drilling, whatever lies on it; empty where there is none.
std::string shortest_plan(const Walk& walk);

}  // namespace bots::snake_labyrinth
