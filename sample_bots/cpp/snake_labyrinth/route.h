#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sample_bots/cpp/snake_labyrinth/reading.h"

namespace bots::snake_labyrinth {

// A way that was tried by the rules of the game.
struct Route {
    std::string letters;
    bool is_out = false;
    std::int64_t score = 0;
    std::int64_t steps = 0;

    // Out before inside, then the score, then fewer steps.
    bool is_better_than(const Route& other) const {
        if (is_out != other.is_out) return is_out;
        if (score != other.score) return score > other.score;
        return steps < other.steps;
    }
};

// Walks the letters from a position, as far as they go: up to an exit, the limit of steps or a
// letter that can't be carried out.
Route walk_route(const Position& from, std::string_view letters);

}  // namespace bots::snake_labyrinth
