#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "sample_bots/cpp/snake_labyrinth/ways.h"

namespace bots::snake_labyrinth {

// How hard to think. Counted in work, not in time, so that the same position gives the same plan on
// every machine of a kind.
struct Effort {
    std::int64_t nodes_max = 100'000'000;  // looked at by the searches for strong ways
    std::size_t positions_max = 200'000;   // looked at to prove that a way is the best
    // A guard for slow machines: where it says true, the best way so far is the answer. The work
    // is meant to be done long before. Empty: never late.
    std::function<bool()> is_late = {};
};

// A strong way out under coins, mishaps, drills and the body; the best there is where that can be
// proven with the effort given. Where no way out is found, letters that end the game soon.
std::string best_plan(const Position& position, const Effort& effort = {});

}  // namespace bots::snake_labyrinth
