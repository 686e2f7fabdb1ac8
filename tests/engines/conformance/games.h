#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "engines/registry.h"
#include "tests/engines/conformance/driver.h"

// What the conformance tests need to know of each game: setups and moves that get somewhere. A
// game of the registry without an entry here is played by its own default params, and by its move
// example and random JSON.

namespace tests {

// A move that is mostly legal, as JSON text. `params` are the full ones.
using MakeMove = std::function<std::string(Random&, const nlohmann::json& params,
                                           const nlohmann::json& state, engines::Seat)>;

struct GameCase {
    std::string id;
    std::vector<std::string> setups;  // params, as JSON text
    std::size_t junk_percent = 0;     // of moves that are random JSON instead
    MakeMove make_move;

    friend void PrintTo(const GameCase& game, std::ostream* out) { *out << game.id; }
};

const engines::Registry& registry();

// One for each game of the registry.
std::vector<GameCase> game_cases();

}  // namespace tests
