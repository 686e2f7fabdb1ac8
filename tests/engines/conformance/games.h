#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "engines/registry.h"
#include "tests/engines/conformance/driver.h"
#include "tests/json.h"

// What the conformance tests need to know of each game: setups and moves that get somewhere. A
// game of the registry without an entry here is played by its own default params, by the legal
// moves that it lists, and by random JSON.

namespace tests {

// A move that is mostly legal, as JSON text. `params` are the full ones.
using MakeMove = std::function<std::string(Random&, const nlohmann::json& params,
                                           const nlohmann::json& state, engines::Seat)>;

struct GameCase {
    std::string id;
    std::vector<std::string> setups;  // params, as JSON text
    std::size_t junk_percent = 0;     // of moves that are random JSON instead
    MakeMove make_move;               // empty: by the moves that the game lists

    friend void PrintTo(const GameCase& game, std::ostream* out) { *out << game.id; }
};

// A move of the case's own, by what a bot is shown; the game's example where it has none.
std::string shown_move(const GameCase& game, Random& random, const nlohmann::json& params,
                       const nlohmann::json& shown, engines::Seat seat);
// The same, or now and then one that the game lists.
std::string some_move(const GameCase& game, Random& random, const nlohmann::json& params,
                      const nlohmann::json& shown, const engines::State& state, engines::Seat seat);

const engines::Registry& registry();

// One for each game of the registry.
std::vector<GameCase> game_cases();

}  // namespace tests
