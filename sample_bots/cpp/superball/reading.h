#pragma once

#include <optional>

#include "engines/superball/position.h"
#include "protocol/json/document.h"

namespace bots::superball {

// The rules that a game's params stand for; nothing where they are none of Superball's.
std::optional<engines::superball::Rules> read_rules(protocol::json::View params);

// The board that a state shows; nothing where it shows none of that size.
std::optional<engines::superball::Board> read_board(const engines::superball::Rules& rules,
                                                    protocol::json::View state);

}  // namespace bots::superball
