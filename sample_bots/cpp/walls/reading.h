#pragma once

#include <optional>
#include <string>

#include "engines/walls/walls.h"
#include "protocol/json/document.h"

namespace bots::walls {

// The position that a state of Walls shows; nothing where it is no such state, or the game is over.
std::optional<engines::walls::Position> read_position(protocol::json::View state);

// The move as JSON.
std::string text_of(engines::walls::Move move);

}  // namespace bots::walls
