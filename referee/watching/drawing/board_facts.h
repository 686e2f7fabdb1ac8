#pragma once

#include <string>

#include "referee/watching/showing/film.h"

namespace referee::drawing {

// What a board reads of a showing, as JSON: all but the frames.
std::string board_facts(showing::Film& film);

std::string state_text(const engines::State& state);

}  // namespace referee::drawing
