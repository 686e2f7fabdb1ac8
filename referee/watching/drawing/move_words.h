#pragma once

#include <string>

#include "engines/game.h"
#include "referee/watching/drawing/interpreter.h"
#include "referee/watching/showing/film.h"

namespace referee::drawing {

// Moves of a game in the short words that its board has for them, as pages show them.
class MoveWords {
 public:
    explicit MoveWords(showing::Film& film);

    // Empty where the board has none for this move, or the game has no board. `move` is JSON text.
    std::string of(const std::string& move, engines::Seat seat);

 private:
    Interpreter interpreter_;
    bool has_words_ = false;
};

}  // namespace referee::drawing
