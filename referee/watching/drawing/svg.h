#pragma once

#include <cstddef>
#include <string>

#include "protocol/base/result.h"
#include "referee/watching/showing/film.h"

namespace referee::drawing {

// The position at a frame as an SVG file: drawn by the game's board, or, where it has none, its
// text. An error says what the board could not draw.
base::Result<std::string, std::string> svg_of(showing::Film& film, std::size_t frame);

// A text as an SVG file.
std::string svg_of_text(const std::string& text, const std::string& title);

}  // namespace referee::drawing
